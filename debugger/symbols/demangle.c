/* demangle.c - names of C++ and Fortran functions */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "symbols/demangle.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { longest_symbol = 4096, longest_arguments = 40 };

/* ---- C++ ----------------------------------------------------------------- */

typedef char *demangler(const char *, char *, size_t *, int *);

static demangler *find_demangler(void)
{
    static demangler *function;
    static bool was_looked_for;
    void *library, *symbol;

    if (was_looked_for)
        return function;
    was_looked_for = true;
    library = dlopen("libstdc++.so.6", RTLD_NOW | RTLD_LOCAL);
    symbol = library != NULL ? dlsym(library, "__cxa_demangle") : NULL;
    if (symbol != NULL)
        memcpy(&function, &symbol, sizeof function);
    return function;
}

/* Cuts what is behind the name: parameters, and how the object is taken. */
static void cut_parameters(char *text)
{
    char *end = strrchr(text, ')'), *begin = end;
    int depth = end != NULL ? 1 : 0;

    while (depth > 0 && begin > text) {
        begin--;
        depth += (*begin == ')') - (*begin == '(');
    }
    if (begin != NULL && depth == 0 && begin > text && strchr(end, ':') == NULL)
        *begin = '\0';
}

/* The text behind the result of a template's function. */
static const char *behind_result(const char *text)
{
    const char *name = text;
    int depth = 0;

    if (strstr(text, "operator") != NULL)
        return text;                    /* its name may have spaces */
    for (const char *c = text; *c != '\0'; c++) {
        depth += (*c == '<' || *c == '(' || *c == '{')
                 - (*c == '>' || *c == ')' || *c == '}');
        if (*c == ' ' && depth == 0)
            name = c + 1;
    }
    return name;
}

static bool demangle_cxx(const char *symbol, char *text, size_t room)
{
    demangler *demangle = find_demangler();
    int status = 0;
    char *name = demangle == NULL ? NULL
                 : demangle(symbol, NULL, NULL, &status);
    bool is_name = name != NULL && status == 0;

    if (is_name) {
        cut_parameters(name);
        snprintf(text, room, "%s", behind_result(name));
    }
    free(name);
    return is_name;
}

bool mq_demangle(const char *symbol, char *text, size_t room)
{
    static const char mark[] = "_MOD_";
    const char *module, *end;

    if (strlen(symbol) > longest_symbol)
        return false;
    if (strncmp(symbol, "_Z", 2) == 0)
        return demangle_cxx(symbol, text, room);
    if (strncmp(symbol, "__", 2) != 0)
        return false;
    /* As gfortran has them: __MODULE_MOD_PROCEDURE. */
    module = symbol + 2;
    end = strstr(module, mark);
    if (end == NULL || end == module || end[strlen(mark)] == '\0')
        return false;
    snprintf(text, room, "%.*s::%s", (int)(end - module), module,
             end + strlen(mark));
    return true;
}

/* ---- Shorter names ------------------------------------------------------- */

/* The text behind the arguments of a template that begin at ARGUMENTS, behind
 * their bracket; null if they have no end.
 */
static char *end_of_arguments(char *arguments)
{
    int depth = 1;

    for (char *c = arguments; *c != '\0'; c++) {
        bool is_arrow = *c == '>' && c > arguments && c[-1] == '-';

        depth += (*c == '<') - (*c == '>' && !is_arrow);
        if (depth == 0)
            return c;
    }
    return NULL;
}

static void cut_arguments(char *name)
{
    static const char dots[] = "...";
    char *begin = name, *end;

    if (strstr(name, "operator<") != NULL || strstr(name, "operator-") != NULL)
        return;                         /* its brackets need not be pairs */
    while ((begin = strchr(begin, '<')) != NULL
           && (end = end_of_arguments(++begin)) != NULL) {
        if (end - begin > longest_arguments) {
            char *cut = begin + longest_arguments - strlen(dots);

            memcpy(cut, dots, strlen(dots));
            memmove(cut + strlen(dots), end, strlen(end) + 1);
            end = cut + strlen(dots);
        }
        begin = end;
    }
}

static void remove_all(char *name, const char *part)
{
    while ((name = strstr(name, part)) != NULL)
        memmove(name, name + strlen(part), strlen(name + strlen(part)) + 1);
}

/* Whether the rest of a name is how a compiler calls a lambda's operator. */
static bool is_lambda(const char *rest)
{
    static const char *const begins[] = {
        "::{lambda(", "::<lambda(", "::'lambda", "::$_"
    };

    for (size_t i = 0; i < sizeof begins / sizeof begins[0]; i++)
        if (strncmp(rest, begins[i], strlen(begins[i])) == 0)
            return strstr(rest, "::operator()") != NULL;
    return false;
}

/* Makes "lambda in NAME" of "NAME(int)::{lambda(double)#1}::operator()". */
static void name_lambda(char *name)
{
    static const char words[] = "lambda in ";
    const size_t length = sizeof words - 1;
    char *c = name;

    for (int depth = 0; *c != '\0' && (depth > 0 || !is_lambda(c)); c++)
        depth += (*c == '<') - (*c == '>');
    if (*c == '\0')
        return;
    *c = '\0';
    cut_parameters(name);
    memmove(name + length, name, strlen(name) + 1);
    memcpy(name, words, length);
}

void mq_shorten_name(char *name)
{
    remove_all(name, "(anonymous namespace)::");
    remove_all(name, "__cxx11::");
    name_lambda(name);
    cut_arguments(name);
}
