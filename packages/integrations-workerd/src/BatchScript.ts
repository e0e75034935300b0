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
 * Uses `newLog`, `logValues`, `callScriptIn`, `isQuiet`, `endOf` and `eventsOf` of the entry. `markerName`: name of the
 * marker header.
 */
export const batchScript = (markerName: string) => `
const encode = TextEncoder.prototype.encode.bind(new TextEncoder());
const originalJson = Response.json.bind(Response);
/** Texts from which responses were created. */
const texts = new WeakMap();
const withText = (text, response) => {
  if (typeof text === "string") texts.set(response, text);
  return response;
};
globalThis.Response = new Proxy(Response, {
  construct: (target, values, made) => withText(values[0], construct(target, values, made))
});
Response.prototype.constructor = globalThis.Response;
Response.json = (value, init) => {
  const text = jsonOf(value);
  if (text === undefined) return originalJson(value, init);
  const response = new Response(text, init);
  if (init?.headers === undefined || headerIn(new Headers(init.headers), "content-type") === null) setHeader(headersIn(response), "content-type", "application/json");
  return withText(text, response);
};
const bytesOf = (value) => {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  throw new TypeError("The body is not bytes");
};
/**
 * Returns the chunks of a body, or the reason of a failure, or undefined after the timeout, which the server reports.
 */
const readOf = async (reader, maxBytes, timeout) => {
  const parts = [];
  let size = 0;
  let isLate = false;
  const cancel = () => quietly(reader.cancel(), () => {});
  const timer = setTimer(() => { isLate = true; cancel(); }, timeout);
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
    clearTimer(timer);
  }
};
const headersOf = (response) => {
  const all = [...headersIn(response)].flat();
  if (all.join().length > ${maxHeaders}) throw new TypeError("Its headers are too long");
  return all;
};
/** Returns the available parts of a response, and a reader for the rest of its body. */
const headOf = (log, response, maxBytes) => {
  try {
    const [status, headers, text] = [statusIn(response), headersOf(response), texts.get(response)];
    if (text === undefined) {
      const reader = bodyIn(response)?.getReader();
      return { status, headers, body: reader === undefined ? [] : null, reader };
    }
    const body = encode(text);
    return { status, headers, body: body.byteLength > maxBytes ? "too large" : [body], reader: undefined };
  } catch (error) {
    logValues(log, "error", [error]);
    return { status: 500, headers: [], body: [], reader: undefined };
  }
};
/** Passes one of several events to the script. Calls \`report\` for its headers, and once its body is complete. */
const handleOneOfBatch = async (log, number, createRequest, ctx, bounds, report) => {
  const waiting = [];
  const response = await callScriptIn(log, waiting, createRequest(), ctx);
  const { reader, ...head } = headOf(log, response, bounds.maxBytes);
  const result = { number, isDone: false, ...head };
  if (reader !== undefined) {
    const timer = setTimer(report, ${headDelay}, result, false);
    result.body = await runInLog(log, readOf, reader, bounds.maxBytes, bounds.timeout) ?? null;
    clearTimer(timer);
  }
  result.isDone = isQuiet(log, waiting);
  if (!result.isDone) ctx.waitUntil(endOf(log, waiting));
  report(result, true);
};
const isArray = Array.isArray;
const sizeOf = (parts) => parts.reduce((size, { byteLength }) => size + byteLength, 0);
const listOf = (texts) => "[" + texts.join() + "]";
// Built from texts only, like all lines, so that changed prototypes have no effect.
const itemOf = ({ number, status, headers, isDone, body }) =>
  listOf([number, status, listOf(headers.map((text) => jsonOf(text))), isDone, isArray(body) ? sizeOf(body) : jsonOf(body)]);
const packetOf = (all) => {
  const parts = [encode(listOf(all.map(itemOf)) + "\\n")];
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
const handleBatch = async (run, listed, request, headers, ctx) => {
  const [maxBytes, timeout, events] = listed.split(";");
  const bounds = { maxBytes: Number(maxBytes), timeout: Number(timeout) };
  const text = await request.text();
  const markerHeaders = { "${markerName}": run };
  if (events === "") return entryResponse(null, 200, markerHeaders);
  const batch = eventsOf(events, text, request.url, headers);
  let left = batch.length;
  let ready = [];
  let planned;
  let writer;
  const { promise, resolve } = promiseWithResolvers();
  const fail = () => {
    if (writer === undefined) resolve(entryResponse(null, 500, { "${markerName}": run + " failed" }));
    else quietly(writer.abort(), () => {});
  };
  const send = () => {
    planned = undefined;
    if (writer === undefined) {
      const first = nextOf(ready);
      if (left + ready.length === 0) return resolve(entryResponse(packetOf(first), 200, markerHeaders));
      ready.unshift(...first);
      const { readable, writable } = new TransformStream();
      writer = writable.getWriter();
      resolve(entryResponse(readable, 200, markerHeaders));
    }
    while (ready.length > 0) quietly(writer.write(packetOf(nextOf(ready))), () => {});
    if (left === 0) quietly(writer.close(), () => {});
  };
  const sendIfAble = () => { try { send(); } catch { fail(); } };
  const report = (result, isLast) => {
    if (!ready.includes(result)) ready.push(result);
    if (isLast) left--;
    if (left > 0) return void (planned ??= setTimer(sendIfAble, 0));
    clearTimer(planned);
    send();
  };
  for (const { number, createRequest } of batch) quietly(handleOneOfBatch(newLog(run + "-" + number), number, createRequest, ctx, bounds, report), fail);
  return promise;
};
`
