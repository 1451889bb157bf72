#include "report/geometry.h"

/* The series of both, for an angle that is halved until it is small and then
 * doubled again.
 */
void mq_point_on_circle(double angle, double *cosine, double *sine)
{
    const int halvings = 6;
    double a = angle / (1 << halvings), c, s;

    c = 1 - a * a / 2 + a * a * a * a / 24;
    s = a - a * a * a / 6 + a * a * a * a * a / 120;
    for (int i = 0; i < halvings; i++) {
        double doubled = 2 * s * c;

        c = c * c - s * s;
        s = doubled;
    }
    *cosine = c;
    *sine = s;
}

double mq_square_root(double value)
{
    double root = value > 1 ? value : 1;

    for (int i = 0; i < 60 && value > 0; i++)
        root = (root + value / root) / 2;
    return value > 0 ? root : 0;
}

double mq_least(double a, double b)
{
    return a < b ? a : b;
}

double mq_most(double a, double b)
{
    return a > b ? a : b;
}
