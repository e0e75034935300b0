/**
 * Part of the entry (see `WorkerScripts`) that gives the script several events at once, each as a request of its own,
 * and answers what became of them in packets, as soon as it is there: in one go where nothing is waited for, or else
 * as a stream. To read a body takes longer than most programs do, so of an answer that was made of a text that text is
 * taken.
 *
 * A packet is a line of JSON, a list of events that were answered, and behind it their bodies. Of each event it says its
 * number, the status, the headers, whether the script is done with it, and the length of its body; or why there is
 * none; or null where the body is yet to come. That is said of one whose body takes long.
 *
 * Limits: packets of 1 MiB, or of one body; 64 KiB of headers for each event.
 */

/**
 * Events of a request that has several at once: the longest body of an answer, how long one may take (ms), and the
 * events as `EventTexts` lists them, by semicolons.
 */
export const togetherHeader = "x-lectern-together"

const maxPacket = 1024 * 1024
/** Characters of the headers of one answer. */
const maxHeaders = 64 * 1024
/** How long the head of an answer waits for the body, in milliseconds. */
const headWaits = 100

/** Needs `begun`, `note`, `giveIn`, `isQuiet`, `endOf`, `eventsOf` of the entry; `done` is the name of its header. */
export const together = (done: string) => `
const encode = TextEncoder.prototype.encode.bind(new TextEncoder());
const later = globalThis.setTimeout.bind(globalThis);
const never = globalThis.clearTimeout.bind(globalThis);
const Answer = globalThis.Response;
const answerOfJson = Answer.json.bind(Answer);
/** Texts that answers were made of. */
const texts = new WeakMap();
const madeOf = (text, answer) => {
  if (typeof text === "string") texts.set(answer, text);
  return answer;
};
globalThis.Response = new Proxy(Answer, {
  construct: (target, values, made) => madeOf(values[0], Reflect.construct(target, values, made))
});
Answer.prototype.constructor = globalThis.Response;
Answer.json = (value, init) => {
  const text = JSON.stringify(value);
  if (text === undefined) return answerOfJson(value, init);
  const answer = new Answer(text, init);
  if (init?.headers === undefined || !new Headers(init.headers).has("content-type")) answer.headers.set("content-type", "application/json");
  return madeOf(text, answer);
};
const bytesOf = (value) => {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  throw new TypeError("The body is not bytes");
};
/** The parts of a body, or why there are none; nothing where it takes too long: whoever waits for it knows when. */
const readOf = async (reader, maxBytes, patience) => {
  const parts = [];
  let size = 0;
  let isLate = false;
  const cancel = () => reader.cancel().catch(() => {});
  const timer = later(() => { isLate = true; cancel(); }, patience);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (isLate) return undefined;
      if (done) return parts;
      const part = bytesOf(value);
      size += part.byteLength;
      if (size > maxBytes) {
        cancel();
        return "too large";
      }
      parts.push(part);
    }
  } catch {
    return "cut off";
  } finally {
    never(timer);
  }
};
const headersOf = ({ headers }) => {
  const all = [...headers].flat();
  if (all.join().length > ${maxHeaders}) throw new TypeError("Its headers are too long");
  return all;
};
/** All that is known of an answer at once, and what the rest of it is read from. */
const headOf = (log, answer, maxBytes) => {
  try {
    if (!(answer instanceof Answer)) throw new TypeError("It answered what is no response");
    const [status, headers, text] = [answer.status, headersOf(answer), texts.get(answer)];
    if (text === undefined || answer.bodyUsed) {
      const reader = answer.body?.getReader();
      return reader === undefined ? { status, headers, body: [] } : { status, headers, body: null, reader };
    }
    const body = encode(text);
    return { status, headers, body: body.byteLength > maxBytes ? "too large" : [body] };
  } catch (error) {
    note(log, "error", [error]);
    return { status: 500, headers: [], body: [] };
  }
};
/** Gives the script one of several events; \`tell\` is called when it is answered, and once its body is there. */
const giveOne = async (log, number, request, ctx, bounds, tell) => {
  const waiting = [];
  const told = { number, isDone: false };
  const answer = await giveIn(log, waiting, request, ctx);
  const { reader, ...head } = headOf(log, answer, bounds.maxBytes);
  Object.assign(told, head);
  if (reader !== undefined) {
    const timer = later(tell, ${headWaits}, told, false);
    told.body = await store.run(log, readOf, reader, bounds.maxBytes, bounds.patience) ?? null;
    never(timer);
  }
  told.isDone = isQuiet(log, waiting);
  if (!told.isDone) ctx.waitUntil(endOf(log, waiting));
  tell(told, true);
};
const sizeOf = (parts) => parts.reduce((size, { byteLength }) => size + byteLength, 0);
const packetOf = (all) => {
  const line = all.map(({ number, status, headers, isDone, body }) =>
    [number, status, headers, isDone, Array.isArray(body) ? sizeOf(body) : body]);
  const parts = [encode(JSON.stringify(line) + "\\n")];
  for (const { body } of all) if (Array.isArray(body)) parts.push(...body);
  const packet = new Uint8Array(sizeOf(parts));
  let at = 0;
  for (const part of parts) {
    packet.set(part, at);
    at += part.byteLength;
  }
  return packet;
};
/** The next events that one packet may have. */
const nextOf = (ready) => {
  let size = 0;
  let count = 0;
  while (count < ready.length) {
    const { body } = ready[count];
    if (Array.isArray(body)) size += sizeOf(body);
    if (count > 0 && size > ${maxPacket}) break;
    count++;
  }
  return ready.splice(0, count);
};
const giveTogether = async (run, listed, request, headers, ctx) => {
  const [maxBytes, patience, events] = listed.split(";");
  const bounds = { maxBytes: Number(maxBytes), patience: Number(patience) };
  const text = await request.text();
  const answered = { headers: { "${done}": run } };
  if (events === "") return new Answer(null, answered);
  const given = eventsOf(events, text, request.url, headers);
  let left = given.length;
  let ready = [];
  let planned;
  let writer;
  const { promise, resolve } = Promise.withResolvers();
  const send = () => {
    planned = undefined;
    if (writer === undefined) {
      const first = nextOf(ready);
      if (left + ready.length === 0) return resolve(new Answer(packetOf(first), answered));
      ready.unshift(...first);
      const { readable, writable } = new TransformStream();
      writer = writable.getWriter();
      resolve(new Answer(readable, answered));
    }
    while (ready.length > 0) writer.write(packetOf(nextOf(ready))).catch(() => {});
    if (left === 0) writer.close().catch(() => {});
  };
  const tell = (told, isLast) => {
    if (!ready.includes(told)) ready.push(told);
    if (isLast) left--;
    if (left > 0) return void (planned ??= later(send, 0));
    never(planned);
    send();
  };
  for (const { number, asked } of given) void giveOne(begun(run + "-" + number), number, asked(), ctx, bounds, tell);
  return promise;
};
`
