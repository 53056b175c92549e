// Model of the order rule: "An edit stays on top of every reply that was asked for before it."
// A row: { rec, at, edits }. `at`: start of the newest read in it. `edits`: [tick, patch] of confirmed edits, kept while an older request is in flight.
// Server: linearizable; applies a request at a moment between start and reply; sends every change as a message, in order (stream).
// `run(seed, console.log)` plays one life and prints its steps.
const rnd = (s) => () => ((s = (s * 1664525 + 1013904223) >>> 0) / 4294967296);
const FIELDS = ["a", "b"];
const patched = (rec, patch) =>
  typeof patch === "function" ? rec && patch(rec) : patch === null ? null : rec ? { ...rec, ...patch } : rec;
export function run(seed, log) {
  const r = rnd(seed * 7919 + 17), pick = (x) => x[Math.floor(r() * x.length)];
  const streamed = r() < 0.4, messages = [];
  const server = new Map([["1", { a: 0, b: 0 }], ["2", { a: 0, b: 0 }]]);
  let version = 0, nextId = 3;
  const emit = (m) => streamed && messages.push(m);
  let tick = 0;
  const rows = new Map(),
    table = { edited: 0, pending: 0 },
    answers = new Map(),
    layers = [],
    bad = [],
    confirmed = new Map(),
    overlapped = new Set(),
    inflight = [];
  const row = (id) => rows.get(id) ?? (rows.set(id, { rec: undefined, at: 0, edits: [] }), rows.get(id));
  const list = row("list");
  const oldest = () => inflight.reduce((m, o) => Math.min(m, o.started), Infinity);
  const tidy = () => {
    const o = oldest();
    for (const x of rows.values()) x.edits = x.edits.filter(([t]) => t > o);
  };
  const over = (x, value, started) => {
    for (const [t, patch] of x.edits) if (t > started) value = patched(value, patch);
    return value;
  };
  const read = (x, value, started) => { // applies a read's value to a row
    if (x.rec !== undefined && started < x.at) {
      if (x.rec && value && !Array.isArray(value)) x.rec = { ...value, ...x.rec };
      return;
    }
    value = over(x, value, started);
    if (value === undefined) return;
    x.rec = x.rec && value && !Array.isArray(value) ? { ...x.rec, ...value } : value;
    x.at = Math.max(x.at, started);
  };
  const edit = (x, patch) => {
    const now = ++tick;
    x.rec = patch === null
      ? null
      : x.rec
      ? patched(x.rec, patch)
      : typeof patch === "function" || x.rec === null
      ? x.rec
      : { ...patch };
    x.edits.push([now, patch]);
    return now;
  };
  const key = (op) => op.kind === "list" ? "list" : op.kind === "get" ? "get" + op.id : undefined;
  const expire = (keys) => {
    for (const k of keys) {
      const e = answers.get(k);
      if (e) {
        if (table.pending > 0) e.check = true;
        else e.stale = true;
      }
    }
  };
  const start = (op) => {
    op.started = ++tick;
    if (!key(op)) {
      table.pending++;
      if (op.optimistic) layers.push(op.layer = { started: op.started, op });
    }
    inflight.push(op);
    log?.("start", op.kind, op.id, op.body, op.started);
  };
  const apply = (op) => {
    op.applied = true;
    if (op.kind === "get") op.reply = server.has(op.id) ? { ...server.get(op.id) } : null;
    else if (op.kind === "list") op.reply = [...server].map(([id, x]) => [id, { ...x }]);
    else if (op.fail || (op.kind !== "create" && !server.has(op.id))) op.error = true;
    else if (op.kind === "patch") {
      const x = server.get(op.id);
      for (const f in op.body) x[f] = op.body[f] = ++version;
      op.reply = { ...x };
      emit({ id: op.id, patch: { ...op.body } });
    } else if (op.kind === "delete") {
      server.delete(op.id);
      emit({ id: op.id, patch: null });
    } else {
      op.newId = String(nextId++);
      server.set(op.newId, op.reply = { a: ++version, b: ++version });
      op.reply = { ...op.reply };
    }
  };
  const settle = (op) => {
    log?.("reply", op.kind, op.id ?? op.newId, op.started, JSON.stringify(op.reply), op.error, op.lost, op.empty);
    inflight.splice(inflight.indexOf(op), 1);
    if (key(op)) {
      const e = answers.get(key(op));
      if (!(e && e.started > op.started)) {
        if (op.kind === "get") read(row(op.id), op.reply, op.started);
        else {
          for (const [id, rec] of op.reply) read(row(id), rec, op.started);
          read(list, op.reply.map(([id]) => id), op.started);
        }
        const check = table.pending > 0;
        answers.set(key(op), { started: op.started, check, stale: !check && op.started < table.edited });
      }
    } else {
      table.pending--;
      const i = layers.indexOf(op.layer);
      if (i >= 0) layers.splice(i, 1);
      if (op.lost) {
        table.edited = ++tick;
        expire(answers.keys());
      } else if (!op.error) {
        const x = row(op.id ?? op.newId);
        if (op.kind === "patch") {
          const said = op.empty ? {} : op.reply, later = x.edits.some(([t]) => t > op.started);
          if (later) {
            const mine = {};
            for (const f in op.body) mine[f] = op.body[f];
            if (x.rec !== null) {
              const value = over(x, { ...said }, op.started);
              x.rec = { ...x.rec, ...value };
            }
            edit(x, mine);
            expire(["get" + op.id, "list"]);
          } else {
            edit(x, { ...op.body, ...said });
            if (op.empty) expire(["get" + op.id, "list"]);
          }
          for (const l of layers) {
            if (l.started < op.started && l.op.kind === "patch" && l.op.id === op.id) {
              l.not = { ...l.not, ...op.body };
            }
          }
          for (const f in op.body) confirmed.set(op.id + "." + f, op.body[f]);
        } else if (op.kind === "delete") {
          edit(x, null);
          edit(list, (items) => items.filter((id) => id !== op.id));
          confirmed.set(op.id, "gone");
        } else {
          edit(x, over(x, { ...op.reply }, op.started));
          edit(list, (items) => items.includes(op.newId) ? items : [...items, op.newId]);
          if (list.rec) confirmed.set(op.newId, "there");
        }
        table.edited = ++tick;
      }
      if (table.pending === 0) {
        for (const e of answers.values()) {
          if (e.check) {
            e.check = false;
            e.stale = true;
          }
        }
      }
    }
    tidy();
  };
  const view = (id) => {
    let rec = rows.get(id)?.rec;
    for (const l of layers) {
      if (l.op.id === id) {
        if (l.op.kind === "delete") rec = null;
        else if (l.op.kind === "patch" && rec) {
          for (const f in l.op.body) if (!(l.not && f in l.not)) rec = { ...rec, [f]: Infinity };
        }
      }
    }
    return rec;
  };
  const check = () => {
    if (streamed) return;
    for (const [k, v] of confirmed) {
      const [id, f] = k.split("."), rec = view(id);
      if (v === "gone") { if (rec) bad.push(`${id} came back`); }
      else if (v === "there") {
        if (!list.rec.includes(id) && rows.get(id)?.rec !== null) bad.push(`${id} left the list`);
      } else if (rec && rec[f] < v && !overlapped.has(k)) bad.push(`${k} shows ${rec[f]}, confirmed ${v}`);
    }
  };
  const steps = 6 + Math.floor(r() * 14);
  let guard = 0;
  for (let s = 0; s < steps || inflight.length || messages.length; s++) {
    if (++guard > 3000) {
      bad.push("never quiet");
      break;
    }
    const what = r();
    if (s < steps && what < 0.35) {
      const kind = pick(["get", "list", "patch", "patch", "delete", "create"]),
        op = {
          kind,
          id: pick(["1", "1", "2"]),
          optimistic: r() < 0.5,
          fail: r() < 0.2,
          empty: r() < 0.2,
          lost: r() < 0.1,
        };
      if (kind === "patch") {
        op.body = { [pick(FIELDS)]: true };
        if (r() < 0.2) op.body[pick(FIELDS)] = true;
        for (const o of inflight) {
          if (o.kind === "patch" && o.id === op.id) {
            for (const f in op.body) if (f in o.body) overlapped.add(op.id + "." + f);
          }
        }
      }
      if (kind === "create") op.id = undefined;
      start(op);
    } else if (s < steps && streamed && what < 0.42) {
      const id = pick([...server.keys()]);
      if (id) {
        const f = pick(FIELDS);
        server.get(id)[f] = ++version;
        emit({ id, patch: { [f]: version } });
        log?.("another user", id, f, version);
      }
    } else if (messages.length && what < 0.55) {
      const { id, patch } = messages.shift();
      log?.("message", id, patch);
      const x = row(id);
      if (x.rec === undefined && patch) x.edits.push([++tick, patch]);
      else edit(x, patch);
      if (patch === null) edit(list, (items) => items.filter((i) => i !== id));
      tidy();
    } else if (what < 0.75) {
      const o = inflight.filter((x) => !x.applied);
      if (o.length) apply(pick(o));
    } else {
      const o = inflight.filter((x) => x.applied);
      if (o.length) settle(pick(o));
    }
    for (const [k, e] of answers) {
      if (e.stale && (s >= steps - 1 || r() < 0.9)) {
        e.stale = false;
        start(k === "list" ? { kind: "list" } : { kind: "get", id: k.slice(3) });
      }
    }
    check();
    if (bad.length) return { bad, seed };
  }
  for (const [k] of answers) {
    if (k === "list") {
      const want = [...server.keys()].sort().join(), got = list.rec.filter((id) => rows.get(id)?.rec).sort().join();
      if (want !== got) bad.push(`list ${got}, server ${want}`);
      for (const id of list.rec) {
        const rec = rows.get(id)?.rec, s = server.get(id);
        if (rec && s) {
          for (const f of FIELDS) if (rec[f] !== s[f]) bad.push(`list ${id}.${f} ${rec[f]}, server ${s[f]}`);
        }
      }
    } else {
      const id = k.slice(3), rec = view(id), s = server.get(id);
      if (!!rec !== !!s) bad.push(`${id} ${JSON.stringify(rec)}, server ${JSON.stringify(s)}`);
      else if (rec) { for (const f of FIELDS) if (rec[f] !== s[f]) bad.push(`${id}.${f} ${rec[f]}, server ${s[f]}`); }
    }
  }
  if (layers.length) bad.push("a layer stays");
  for (const x of rows.values()) if (x.edits.length) bad.push("edits stay");
  return { bad, seed };
}
