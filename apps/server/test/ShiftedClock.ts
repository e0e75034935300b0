/** Preloaded into a server: its clock is ahead by `SHIFT_HOURS`, so that a test need not wait for days. */
const ahead = Number(process.env["SHIFT_HOURS"]) * 3_600_000
const RealDate = Date
const now = () => RealDate.now() + ahead

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given) => Reflect.construct(target, given.length === 0 ? [now()] : given) as Date,
  get: (target, name) => (name === "now" ? now : (Reflect.get(target, name) as unknown))
})
