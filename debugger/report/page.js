/* page.js - what the page of the format html does
 *
 * Text of targets is in the data, and reaches the page as textContent only.
 */
"use strict";
(function () {

const data = JSON.parse(document.getElementById("data").textContent);
const text = data.strings;

function byId(id) {
    return document.getElementById(id);
}

/* An element with a class and a text, either of which can be left out. */
function make(tag, name, words) {
    const made = document.createElement(tag);

    if (name)
        made.className = name;
    if (words !== undefined && words !== null)
        made.textContent = words;
    return made;
}

/* ---- Columns ---------------------------------------------------------- */

/* A column is a text of values, "5", or of runs of one, "5x3"; "_" is none. */
function decode(column, count, isText) {
    const values = new Array(count);
    let at = 0;

    for (const part of column === "" ? [] : column.split(",")) {
        const cross = part.indexOf("x");
        const word = cross < 0 ? part : part.slice(0, cross);
        let times = cross < 0 ? 1 : Number(part.slice(cross + 1));
        const value = word === "_" ? null : isText ? word : Number(word);

        while (times-- > 0)
            values[at++] = value;
    }
    return values;
}

function decodeAll(columns) {
    const decoded = { count: columns.count };

    for (const name in columns)
        if (name !== "count")
            decoded[name] = decode(columns[name], columns.count,
                                   name === "buffer");
    return decoded;
}

const processes = decodeAll(data.processes);

for (let i = 0; i < processes.count; i++)
    if (processes.rank[i] !== null)
        processes.rank[i] += i;

let operations = null;

/* Decodes columns that are stored as differences from others. */
function decodeOperations() {
    const it = decodeAll(data.operations);
    let process = 0;

    for (let i = 0; i < it.count; i++) {
        process += it.process[i];
        it.process[i] = process;
        const rank = processes.rank[process];

        it.own[i] = it.own[i] === null ? null : it.own[i] + rank;
        if (it.local[i] !== null)
            it.local[i] += it.own[i] + it.global[i];
        if (it.global[i] !== null)
            it.global[i] += rank;
    }
    return it;
}

/* ---- Ranks in words --------------------------------------------------- */

/* Where the worlds begin, if there are several. */
const worlds = data.worlds || [];

function worldOf(rank) {
    return worlds.filter(first => first <= rank).length - 1;
}

/* "3", or "1:3" of several worlds. */
function rankWords(rank) {
    const world = worldOf(rank);

    return world < 0 ? rank : world + ":" + (rank - worlds[world]);
}

/* "0-3,7" of numbers that ascend. */
function spans(ranks) {
    const parts = [];

    for (let i = 0, end; i < ranks.length; i = end) {
        for (end = i + 1; end < ranks.length
             && ranks[end] <= ranks[end - 1] + 1
             && worldOf(ranks[end]) === worldOf(ranks[i]); end++)
            continue;
        parts.push(ranks[i] === ranks[end - 1] ? rankWords(ranks[i])
                   : rankWords(ranks[i]) + "-"
                     + String(rankWords(ranks[end - 1])).replace(/.*:/, ""));
        if (parts.length === 40 && end < ranks.length)
            return parts.join(",") + ", …";
    }
    return parts.join(",");
}

/* A predicate for numbers in "0-3,7", or in "1:0-3" of a world, or null.
 */
function inSpans(words) {
    const wanted = [];

    for (const part of words.split(",")) {
        const match = /^\s*(?:(\d+):)?(\d+)\s*(?:-\s*(\d+)\s*)?$/.exec(part);
        const first = match === null || match[1] === undefined ? 0
                      : worlds[match[1]];

        if (match === null || first === undefined)
            return null;
        wanted.push([first + Number(match[2]),
                     first + Number(match[3] || match[2])]);
    }
    return number => number !== null
        && wanted.some(span => number >= span[0] && number <= span[1]);
}

/* ---- Cause and findings ----------------------------------------------- */

function makeItem(item) {
    const line = make("li");

    if (item[0] !== null)
        line.append(make("span", "label", item[0] + ": "));
    line.append(item[1]);
    return line;
}

/* The items, {label or null, text}; those of one label that are too many are
 * there when they are asked for.
 */
function listItems(id, items) {
    const most = 5, list = byId(id);

    for (const label of new Set(items.map(item => item[0]))) {
        const own = items.filter(item => item[0] === label);
        const rest = own.slice(most);

        own.slice(0, most).forEach(item => list.append(makeItem(item)));
        if (rest.length === 0)
            continue;
        const more = make("details"), inner = make("ul");

        more.append(make("summary", "more", rest.length + " more of them"),
                    inner);
        more.addEventListener("toggle", () => {
            rest.splice(0).forEach(item => inner.append(makeItem(item)));
        });
        list.append(more);
    }
    list.hidden = items.length === 0;
}

function showCauses() {
    document.querySelector("header").classList.add(data.verdict);
    listItems("evidence-list",
              data.evidence.map(it => [it.kind, it.text]));
    listItems("cause-list",
              data.cause.map(it => ["cause (" + it.certainty + ")", it.text]));
    listItems("finding-list", data.findings.map(it => [it.kind, it.text]));
    listItems("note-list", data.notes.map(words => ["note", words]));
}

/* ---- Graph ------------------------------------------------------------ */

const graph = byId("graph"), svg = graph.querySelector("svg");
const nodes = [...svg.querySelectorAll("g > g > text")].map(
    label => label.parentNode);
let view = null;

function setView(changed) {
    view = changed;
    svg.setAttribute("viewBox", [view.x, view.y, view.w, view.h].join(" "));
}

function fit() {
    const box = svg.getBBox(), margin = 12;

    setView({ x: box.x - margin, y: box.y - margin, w: box.width + 2 * margin,
              h: box.height + 2 * margin });
}

/* FACTOR below 1 goes nearer; the point with these shares of the view stays. */
function zoom(factor, across, down) {
    setView({ x: view.x + across * view.w * (1 - factor),
              y: view.y + down * view.h * (1 - factor),
              w: view.w * factor, h: view.h * factor });
}

/* Shows the title of a node or an edge, and why a node is as it is. */
function showPart(part) {
    const title = part && part.querySelector(":scope > title");
    const node = data.nodes[nodes.indexOf(part)];

    if (!title)
        return;
    byId("graph-says").textContent = title.textContent;
    byId("graph-why").textContent = node ? node.why.join("\n") : "";
}

/* Shows the queues of a node's ranks. */
function openNode(part) {
    const node = data.nodes[nodes.indexOf(part)];

    if (!node || node.ranks === "")
        return;
    byId("as-global").checked = true;
    byId("filter-rank").value = node.ranks;
    filterQueues();
    byId("queues").scrollIntoView();
}

const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1],
                ArrowDown: [0, 1] };

function keyOnGraph(event) {
    const step = steps[event.key];

    if (event.ctrlKey || event.metaKey || event.altKey)
        return;
    if (step)
        setView({ ...view, x: view.x + step[0] * view.w / 10,
                  y: view.y + step[1] * view.h / 10 });
    else if (event.key === "+" || event.key === "=")
        zoom(0.8, 0.5, 0.5);
    else if (event.key === "-")
        zoom(1.25, 0.5, 0.5);
    else if (event.key === "0")
        fit();
    else if (event.key === "Enter" || event.key === " ")
        openNode(event.target);
    else
        return;
    event.preventDefault();
}

/* Drags the picture: by units of it for a pixel of the screen. */
function drag(event) {
    let last = event;

    svg.onpointermove = move => {
        const box = svg.getBoundingClientRect();
        const unit = Math.max(view.w / box.width, view.h / box.height);

        svg.setPointerCapture(event.pointerId);
        setView({ ...view, x: view.x - (move.clientX - last.clientX) * unit,
                  y: view.y - (move.clientY - last.clientY) * unit });
        last = move;
    };
    svg.onpointerup = svg.onpointercancel = () => {
        svg.onpointermove = null;
    };
}

function wheel(event) {
    const box = svg.getBoundingClientRect();

    if (!event.ctrlKey && !graph.contains(document.activeElement))
        return;                 /* the page is being scrolled */
    event.preventDefault();
    zoom(event.deltaY < 0 ? 0.85 : 1 / 0.85,
         (event.clientX - box.left) / box.width,
         (event.clientY - box.top) / box.height);
}

function showGraph() {
    graph.hidden = nodes.length === 0;
    svg.setAttribute("role", "group");
    for (const node of nodes) {
        node.setAttribute("tabindex", 0);
        node.setAttribute("role", "button");
        node.setAttribute("aria-label",
                          node.querySelector("title").textContent);
    }
    graph.addEventListener("keydown", keyOnGraph);
    graph.addEventListener("wheel", wheel, { passive: false });
    svg.addEventListener("pointerdown", drag);
    svg.addEventListener("focusin", event => showPart(event.target));
    svg.addEventListener("click", event => showPart(event.target.closest("g")));
    svg.addEventListener("dblclick",
                         event => openNode(event.target.closest("g")));
    byId("zoom-in").onclick = () => zoom(0.8, 0.5, 0.5);
    byId("zoom-out").onclick = () => zoom(1.25, 0.5, 0.5);
    byId("zoom-fit").onclick = fit;
    byId("labels").onchange = () => {
        graph.classList.toggle("with-labels", byId("labels").checked);
    };
    fit();
}

/* ---- Stacks ----------------------------------------------------------- */

/* Which ranks are in which stack. */
function ranksByStack() {
    const ranks = data.stacks.map(() => []);

    for (let i = 0; i < processes.count; i++)
        if (processes.stack[i] !== null && processes.rank[i] !== null)
            ranks[processes.stack[i]].push(processes.rank[i]);
    return ranks;
}

/* Stacks, by number, that have the same frames up to DEPTH, taken apart by the
 * next one.
 */
function part(stacks, depth) {
    const parts = new Map();

    for (const stack of stacks) {
        const frame = data.stacks[stack][depth];

        if (frame === undefined)
            continue;
        if (!parts.has(frame))
            parts.set(frame, []);
        parts.get(frame).push(stack);
    }
    return parts;
}

function mergedRanks(stacks, ranks) {
    const all = [].concat(...stacks.map(stack => ranks[stack]));

    return all.sort((a, b) => a - b);
}

/* Adds what STACKS have at DEPTH; what is below is made when it is opened. */
function addFrames(parent, stacks, depth, ranks) {
    const parts = part(stacks, depth);

    for (const [frame, those] of parts) {
        const own = mergedRanks(those, ranks);
        const count = make("span", "count", own.length
            + (own.length === 1 ? " rank: " : " ranks: ") + spans(own));
        const isLeaf = those.every(
            stack => data.stacks[stack].length === depth + 1);
        const line = make(isLeaf ? "div" : "summary", isLeaf ? "leaf" : null);

        line.append(make("code", null, text[frame]), count);
        if (isLeaf) {
            parent.append(line);
            continue;
        }
        const branch = make("details");
        let isMade = false;
        const open = () => {
            if (!isMade && branch.open)
                addFrames(branch, those, depth + 1, ranks);
            isMade = isMade || branch.open;
        };

        branch.append(line);
        branch.addEventListener("toggle", open);
        parent.append(branch);
        if (parts.size <= 8 && depth < 12) {
            branch.open = true;
            open();
        }
    }
}

function showStacks() {
    const ranks = ranksByStack(), tree = byId("stack-tree");

    if (data.stacks.length === 0)
        tree.append(make("p", "hint", "No stack is known."));
    else
        addFrames(tree, data.stacks.map((stack, index) => index), 0, ranks);
}

/* ---- Tables ----------------------------------------------------------- */

const rowHeight = 22, mostPixels = 6000000, mostPrinted = 500;

/* A table that has only its visible rows.  COLUMNS are {title,
 * width, number, value(row), words(row)}; rows are numbers.
 */
function makeTable(parent, columns) {
    const outer = make("div", "table"), head = make("div", "row head");
    const body = make("div", "body"), space = make("div", "space");
    const layout = columns.map(column => column.width).join(" ");
    let rows = [], sortedBy = -1, isDown = false;

    outer.setAttribute("role", "table");
    head.setAttribute("role", "row");
    head.style.gridTemplateColumns = layout;
    body.tabIndex = 0;
    body.setAttribute("role", "rowgroup");
    body.append(space);
    outer.append(head, body);
    parent.append(outer);

    function makeRow(row) {
        const line = make("div", "row");

        line.setAttribute("role", "row");
        line.style.gridTemplateColumns = layout;
        for (const column of columns) {
            const cell = make("div", "cell" + (column.number ? " number" : ""),
                              column.words(row));

            cell.setAttribute("role", "cell");
            cell.title = cell.textContent;
            line.append(cell);
        }
        return line;
    }

    /* More rows than a page can be high are mapped to the scroll position. */
    function draw() {
        const height = Math.min(rows.length * rowHeight, mostPixels);

        space.style.height = height + "px";
        const visible = Math.ceil(body.clientHeight / rowHeight) + 1;
        const way = height - body.clientHeight;
        const share = way > 0 ? Math.min(1, body.scrollTop / way) : 0;
        const first = height < mostPixels
            ? Math.floor(body.scrollTop / rowHeight)
            : Math.floor(share * (rows.length - visible + 2));
        const top = height < mostPixels ? first * rowHeight : body.scrollTop;

        head.style.paddingRight = body.offsetWidth - body.clientWidth + "px";
        while (body.lastChild !== space)
            body.lastChild.remove();
        for (let i = 0; i < visible && first + i < rows.length; i++) {
            const line = makeRow(rows[first + i]);

            line.style.top = top + i * rowHeight + "px";
            body.append(line);
        }
    }

    function compare(a, b) {
        const column = columns[sortedBy];
        const x = column.value(a), y = column.value(b);
        const order = x === y ? 0 : x === null ? 1 : y === null ? -1
                      : x < y ? -1 : 1;

        return order === 0 ? a - b : isDown ? -order : order;
    }

    function sort() {
        if (sortedBy >= 0)
            rows.sort(compare);
        [...head.children].forEach((cell, index) => {
            cell.setAttribute("aria-sort", index !== sortedBy ? "none"
                              : isDown ? "descending" : "ascending");
            cell.firstChild.textContent = columns[index].title()
                + (index !== sortedBy ? "" : isDown ? " ▼" : " ▲");
        });
    }

    columns.forEach((column, index) => {
        const cell = make("div", column.number ? "number" : null);
        const button = make("button");

        cell.setAttribute("role", "columnheader");
        button.type = "button";
        button.onclick = () => {
            isDown = sortedBy === index && !isDown;
            sortedBy = index;
            sort();
            draw();
        };
        cell.append(button);
        head.append(cell);
    });
    body.addEventListener("scroll", draw);
    window.addEventListener("resize", draw);
    window.addEventListener("beforeprint", () => {
        while (body.lastChild !== space)
            body.lastChild.remove();
        for (const row of rows.slice(0, mostPrinted))
            body.append(makeRow(row));
        if (rows.length > mostPrinted)
            body.append(make("p", "print", "and " + (rows.length
                - mostPrinted) + " more rows"));
    });
    window.addEventListener("afterprint", draw);

    return {
        show(changed) {
            rows = changed;
            outer.setAttribute("aria-rowcount", rows.length);
            sort();
            body.scrollTop = 0;
            draw();
        },
        draw() {
            sort();
            draw();
        }
    };
}

/* ---- Queues ----------------------------------------------------------- */

const queueNames = ["send", "receive", "unexpected"];
const statusNames = ["pending", "matched", "complete"];
let queueTable = null;

function isLocal() {
    return byId("as-local").checked;
}

function ownRank(row) {
    return isLocal() ? operations.own[row]
                     : processes.rank[operations.process[row]];
}

function peer(row) {
    return isLocal() ? operations.local[row] : operations.global[row];
}

/* A rank, or UNKNOWN, in the words of the column. */
function shownRank(rank, unknown) {
    return rank === null ? unknown : isLocal() ? rank : rankWords(rank);
}

function title(words) {
    return () => words;
}

/* A column of texts, whose numbers ROWS gives. */
function textColumn(name, width, rows) {
    const words = row => rows()[row] === null ? "" : text[rows()[row]];

    return { title: title(name), width: width, value: words, words: words };
}

const queueColumns = [
    { title: () => isLocal() ? "Local rank" : "Rank", width: "6.5em",
      number: true, value: ownRank,
      words: row => shownRank(ownRank(row), "?") },
    { title: title("Queue"), width: "7.5em",
      value: row => operations.queue[row],
      words: row => queueNames[operations.queue[row]] },
    textColumn("Communicator", "minmax(14em, 3fr)",
               () => operations.communicator),
    { title: () => isLocal() ? "Local peer" : "Peer", width: "6.5em",
      number: true, value: peer,
      words: row => shownRank(peer(row), operations.any[row] ? "any" : "?") },
    { title: title("Tag"), width: "5.5em", number: true,
      value: row => operations.tag[row],
      words: row => operations.tag[row] ?? "any" },
    { title: title("Bytes"), width: "6.5em", number: true,
      value: row => operations.bytes[row],
      words: row => operations.bytes[row] ?? "?" },
    { title: title("Status"), width: "7em",
      value: row => operations.status[row],
      words: row => statusNames[operations.status[row]] },
    { title: title("Buffer"), width: "11em",
      value: row => operations.buffer[row]?.padStart(16, "0") ?? null,
      words: row => operations.buffer[row] === null
                    ? "?" : "0x" + operations.buffer[row] },
    textColumn("More", "minmax(6em, 2fr)", () => operations.more)
];

function markWrong(input, isWrong) {
    input.classList.toggle("wrong", isWrong);
    input.setAttribute("aria-invalid", isWrong);
}

/* A test of a row's tag by what the user wrote, or null. */
function tagTest(words) {
    if (words === "any")
        return tag => tag === null;
    return /^-?\d+$/.test(words) ? tag => tag === Number(words) : null;
}

function filterQueues() {
    const wantedRanks = byId("filter-rank").value.trim();
    const tagWanted = byId("filter-tag").value.trim();
    const communicator = byId("filter-communicator").value;
    const queue = byId("filter-queue").value;
    const hasRank = wantedRanks === "" ? null : inSpans(wantedRanks);
    const hasTag = tagWanted === "" ? null : tagTest(tagWanted);
    const rows = [];

    markWrong(byId("filter-rank"), wantedRanks !== "" && hasRank === null);
    markWrong(byId("filter-tag"), tagWanted !== "" && hasTag === null);
    for (let i = 0; i < operations.count; i++)
        if ((hasRank === null
             || (ownRank(i) !== null && hasRank(ownRank(i))))
            && (hasTag === null || hasTag(operations.tag[i]))
            && (communicator === ""
                || operations.communicator[i] === Number(communicator))
            && (queue === "" || operations.queue[i] === Number(queue)))
            rows.push(i);
    byId("queue-count").textContent = rows.length === operations.count
        ? operations.count + " operations"
        : rows.length + " of " + operations.count + " operations";
    queueTable.show(rows);
}

function addOption(select, value, words) {
    const option = make("option", null, words);

    option.value = value;
    select.append(option);
}

function showQueues() {
    const communicators = byId("filter-communicator");
    const queues = byId("filter-queue");

    operations = decodeOperations();
    addOption(communicators, "", "all");
    for (const index of new Set(operations.communicator))
        addOption(communicators, index, text[index]);
    addOption(queues, "", "all");
    queueNames.forEach((name, index) => addOption(queues, index, name));
    queueTable = makeTable(byId("queue-table"), queueColumns);
    for (const id of ["filter-rank", "filter-tag"])
        byId(id).addEventListener("input", filterQueues);
    for (const id of ["filter-communicator", "filter-queue", "as-local",
                      "as-global"])
        byId(id).addEventListener("change", filterQueues);
    byId("filter-clear").onclick = () => {
        for (const id of ["filter-rank", "filter-tag",
                          "filter-communicator", "filter-queue"])
            byId(id).value = "";
        filterQueues();
    };
    filterQueues();
}

/* ---- Ranks ------------------------------------------------------------ */

const stuckNames = ["", "possibly", "certainly"];

const rankColumns = [
    { title: title("Rank"), width: "6em", number: true,
      value: row => processes.rank[row],
      words: row => processes.rank[row] === null ? "?"
                    : rankWords(processes.rank[row]) },
    textColumn("State", "7em", () => processes.state),
    textColumn("Call", "9em", () => processes.call),
    textColumn("Where", "minmax(12em, 3fr)", () => processes.site),
    { title: title("Stuck"), width: "7em",
      value: row => processes.stuck[row],
      words: row => stuckNames[processes.stuck[row]] },
    textColumn("Process", "minmax(9em, 2fr)", () => processes.name),
    textColumn("Notes", "minmax(8em, 3fr)", () => processes.note)
];

showCauses();
showGraph();
listItems("pattern-list", data.patterns.map(words => [null, words]));
listItems("thread-list", data.threads.map(words => [null, words]));
byId("threads").hidden = data.threads.length === 0;
showStacks();
showQueues();
makeTable(byId("rank-table"), rankColumns).show([...processes.rank.keys()]);
document.body.dataset.ready = "yes";
})();
