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

/** Needs `begun`, `note`, `giveIn`, `isQuiet`, `endOf`, `eventsOf` of the entry; `answered` is the name of its header. */
export const together = (answered: string) => `
const encode = TextEncoder.prototype.encode.bind(new TextEncoder());
const answerOfJson = Response.json.bind(Response);
/** Texts that answers were made of. */
const texts = new WeakMap();
const madeOf = (text, answer) => {
  if (typeof text === "string") texts.set(answer, text);
  return answer;
};
globalThis.Response = new Proxy(Response, {
  construct: (target, values, made) => madeOf(values[0], construct(target, values, made))
});
Response.prototype.constructor = globalThis.Response;
Response.json = (value, init) => {
  const text = jsonOf(value);
  if (text === undefined) return answerOfJson(value, init);
  const answer = new Response(text, init);
  if (init?.headers === undefined || headerIn(new Headers(init.headers), "content-type") === null) setHeader(headersIn(answer), "content-type", "application/json");
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
  const cancel = () => quietly(reader.cancel(), () => {});
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
const headersOf = (answer) => {
  const all = [...headersIn(answer)].flat();
  if (all.join().length > ${maxHeaders}) throw new TypeError("Its headers are too long");
  return all;
};
/** All that is known of an answer at once, and what the rest of it is read from. */
const headOf = (log, answer, maxBytes) => {
  try {
    const [status, headers, text] = [statusIn(answer), headersOf(answer), texts.get(answer)];
    if (text === undefined) {
      const reader = bodyIn(answer)?.getReader();
      return { status, headers, body: reader === undefined ? [] : null, reader };
    }
    const body = encode(text);
    return { status, headers, body: body.byteLength > maxBytes ? "too large" : [body], reader: undefined };
  } catch (error) {
    note(log, "error", [error]);
    return { status: 500, headers: [], body: [], reader: undefined };
  }
};
/** Gives the script one of several events; \`tell\` is called when it is answered, and once its body is there. */
const giveOneOf = async (log, number, asked, ctx, bounds, tell) => {
  const waiting = [];
  const answer = await giveIn(log, waiting, asked(), ctx);
  const { reader, ...head } = headOf(log, answer, bounds.maxBytes);
  const told = { number, isDone: false, ...head };
  if (reader !== undefined) {
    const timer = later(tell, ${headWaits}, told, false);
    told.body = await within(log, readOf, reader, bounds.maxBytes, bounds.patience) ?? null;
    never(timer);
  }
  told.isDone = isQuiet(log, waiting);
  if (!told.isDone) ctx.waitUntil(endOf(log, waiting));
  tell(told, true);
};
const isArray = Array.isArray;
const sizeOf = (parts) => parts.reduce((size, { byteLength }) => size + byteLength, 0);
const listOf = (texts) => "[" + texts.join() + "]";
// Made of texts alone, as all lines are.
const toldOf = ({ number, status, headers, isDone, body }) =>
  listOf([number, status, listOf(headers.map((text) => jsonOf(text))), isDone, isArray(body) ? sizeOf(body) : jsonOf(body)]);
const packetOf = (all) => {
  const parts = [encode(listOf(all.map(toldOf)) + "\\n")];
  for (const { body } of all) if (isArray(body)) parts.push(...body);
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
    if (isArray(body)) size += sizeOf(body);
    if (count > 0 && size > ${maxPacket}) break;
    count++;
  }
  return ready.splice(0, count);
};
const giveTogether = async (run, listed, request, headers, ctx) => {
  const [maxBytes, patience, events] = listed.split(";");
  const bounds = { maxBytes: Number(maxBytes), patience: Number(patience) };
  const text = await request.text();
  const answered = { "${answered}": run };
  if (events === "") return answerOf(null, 200, answered);
  const given = eventsOf(events, text, request.url, headers);
  let left = given.length;
  let ready = [];
  let planned;
  let writer;
  const { promise, resolve } = settling();
  const fail = () => {
    if (writer === undefined) resolve(answerOf(null, 500, { "${answered}": run + " failed" }));
    else quietly(writer.abort(), () => {});
  };
  const send = () => {
    planned = undefined;
    if (writer === undefined) {
      const first = nextOf(ready);
      if (left + ready.length === 0) return resolve(answerOf(packetOf(first), 200, answered));
      ready.unshift(...first);
      const { readable, writable } = new TransformStream();
      writer = writable.getWriter();
      resolve(answerOf(readable, 200, answered));
    }
    while (ready.length > 0) quietly(writer.write(packetOf(nextOf(ready))), () => {});
    if (left === 0) quietly(writer.close(), () => {});
  };
  const sendIfAble = () => { try { send(); } catch { fail(); } };
  const tell = (told, isLast) => {
    if (!ready.includes(told)) ready.push(told);
    if (isLast) left--;
    if (left > 0) return void (planned ??= later(sendIfAble, 0));
    never(planned);
    send();
  };
  for (const { number, asked } of given) quietly(giveOneOf(begun(run + "-" + number), number, asked, ctx, bounds, tell), fail);
  return promise;
};
`
