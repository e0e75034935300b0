/**
 * Encodes several events in one request. The body is the concatenation of the environment and the event of each. A
 * header lists the events, separated by commas: `<number>.<length of the environment>.<length of the event>`, in
 * UTF-16. Length 0 = the environment of the preceding event.
 *
 * The entry creates a separate request for each event. Its `formData()` returns a prepared form, since parsing one
 * takes longer than most programs.
 */
import type { Delivery } from "@lectern/core/integration/IntegrationRuntime"
import { type EventRequest, newBoundary } from "./EventRequests.ts"

/** Returns the request for several events without bodies, and the value of the header that lists them. */
export const textsOf = (events: ReadonlyArray<readonly [number: number, delivery: Delivery]>) => {
  const texts: Array<string> = []
  const eventEntries: Array<string> = []
  let size = 0
  let previousEnvironment: string | undefined
  const addText = (text: string) => {
    texts.push(text)
    size += Buffer.byteLength(text)
  }
  for (const [number, { event, environment }] of events) {
    const isSameEnvironment = environment === previousEnvironment
    if (!isSameEnvironment) addText(environment)
    addText(event)
    eventEntries.push(`${number}.${isSameEnvironment ? 0 : environment.length}.${event.length}`)
    previousEnvironment = environment
  }
  const request: EventRequest = {
    contentType: `multipart/form-data; boundary=${newBoundary()}`,
    body: texts.join(""),
    size
  }
  return { request, listed: eventEntries.join() }
}

/** Part of the entry (see `WorkerScripts`). */
export const requests = `
const requestOf = (url, headers, boundary, event, environment) => {
  const part = (name) => "--" + boundary + '\\r\\ncontent-disposition: form-data; name="' + name + '"\\r\\n\\r\\n';
  const body = part("event") + event + "\\r\\n" + part("environment") + environment + "\\r\\n--" + boundary + "--\\r\\n";
  const request = new Request(url, bare({ method: "POST", headers, body }));
  const parse = request.formData;
  const formData = function () {
    if (this !== request || request.bodyUsed) return parse.call(this);
    const form = new FormData();
    form.append("event", event);
    form.append("environment", environment);
    return resolvedPromise(form);
  };
  define(request, "formData", bare({ value: formData, writable: true, configurable: true }));
  return request;
};
/** Returns the events of a request, each with a function that creates its request. */
const eventsOf = (listed, text, url, headers) => {
  const [, boundary] = headerIn(headers, "content-type").split("boundary=");
  let at = 0;
  let environment = "";
  const next = (length) => text.slice(at, (at += length));
  return listed.split(",").map((entry) => {
    const [number, environmentLength, eventLength] = entry.split(".").map(Number);
    if (environmentLength > 0) environment = next(environmentLength);
    const [currentEnvironment, event] = [environment, next(eventLength)];
    return { number, createRequest: () => requestOf(url, headers, boundary, event, currentEnvironment) };
  });
};
`
