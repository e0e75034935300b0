/**
 * Part of the entry (see `WorkerScripts`) that passes several events of one request to the script concurrently, each as
 * a separate `Request`, and sends the responses in packets as soon as they are ready: in one body if all are ready at
 * once, else as a stream. Reading a body takes longer than most programs, so the text of a `Response` that was created
 * from a text is used directly.
 *
 * A packet is a line of JSON, followed by the bodies. The line is a list with an item for each event: its number, the
 * status, the headers, true if the script has finished the event, and the length of its body. Instead of the length, a
 * text states why the body is missing, and null means that a later packet contains it, since it is not ready.
 *
 * Limits: 1 MiB for a packet, or one body; 64 KiB of headers for each event.
 */

/**
 * Request header for several concurrent events: the maximum size of a response body, its timeout in ms, and the list of
 * events (see `EventTexts`), separated by semicolons.
 */
export const batchHeader = "x-lectern-together"

const maxPacket = 1024 * 1024
/** Maximum number of characters of the headers of one response. */
const maxHeaders = 64 * 1024
/** Time in ms that the headers of a response wait for its body. */
const headDelay = 100

/**
 * Uses `begun`, `note`, `giveIn`, `isQuiet`, `endOf` and `eventsOf` of the entry. `markerName`: name of the marker
 * header.
 */
export const batchScript = (markerName: string) => `
const encode = TextEncoder.prototype.encode.bind(new TextEncoder());
const answerOfJson = Response.json.bind(Response);
/** Texts from which responses were created. */
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
/**
 * Returns the chunks of a body, or the reason of a failure, or undefined after the timeout, which the server reports.
 */
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
/** Returns the available parts of a response, and a reader for the rest of its body. */
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
/** Passes one of several events to the script. Calls \`tell\` for its headers, and once its body is complete. */
const giveOneOf = async (log, number, asked, ctx, bounds, tell) => {
  const waiting = [];
  const answer = await giveIn(log, waiting, asked(), ctx);
  const { reader, ...head } = headOf(log, answer, bounds.maxBytes);
  const told = { number, isDone: false, ...head };
  if (reader !== undefined) {
    const timer = later(tell, ${headDelay}, told, false);
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
// Built from texts only, like all lines, so that changed prototypes have no effect.
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
/** Returns the next events that fit into one packet. */
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
  const answered = { "${markerName}": run };
  if (events === "") return answerOf(null, 200, answered);
  const given = eventsOf(events, text, request.url, headers);
  let left = given.length;
  let ready = [];
  let planned;
  let writer;
  const { promise, resolve } = settling();
  const fail = () => {
    if (writer === undefined) resolve(answerOf(null, 500, { "${markerName}": run + " failed" }));
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
