/**
 * Several events in one request: their texts one behind the other, and a list of them in a header, of each its number and
 * the lengths of its environment and of its own, in UTF-16: `<number>.<environment>.<event>`, by commas. The environment
 * stands first; without one it is that of the event before.
 *
 * The entry makes a request for each, as it would come by itself. Its form is there already when the script asks for
 * it: to parse one takes longer than most programs do.
 */
import type { Delivery } from "@lectern/core/integration/IntegrationRuntime"
import { type Asked, newBoundary } from "./EventForms.ts"

/** Request for several events that have no bodies, and the list of them. */
export const textsOf = (events: ReadonlyArray<readonly [number: number, delivery: Delivery]>) => {
  const texts: Array<string> = []
  const listed: Array<string> = []
  let size = 0
  let known: string | undefined
  const add = (text: string) => {
    texts.push(text)
    size += Buffer.byteLength(text)
  }
  for (const [number, { event, environment }] of events) {
    const isKnown = environment === known
    if (!isKnown) add(environment)
    add(event)
    listed.push(`${number}.${isKnown ? 0 : environment.length}.${event.length}`)
    known = environment
  }
  const asked: Asked = { contentType: `multipart/form-data; boundary=${newBoundary()}`, body: texts.join(""), size }
  return { asked, listed: listed.join() }
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
    return settled(form);
  };
  define(request, "formData", bare({ value: formData, writable: true, configurable: true }));
  return request;
};
/** Events that a request lists, and how the script is asked for each. */
const eventsOf = (listed, text, url, headers) => {
  const [, boundary] = headerIn(headers, "content-type").split("boundary=");
  let at = 0;
  let environment = "";
  const next = (length) => text.slice(at, (at += length));
  return listed.split(",").map((one) => {
    const [number, around, own] = one.split(".").map(Number);
    if (around > 0) environment = next(around);
    const [within, event] = [environment, next(own)];
    return { number, asked: () => requestOf(url, headers, boundary, event, within) };
  });
};
`
