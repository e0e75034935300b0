/** Thrown if a text is not a spec. `messages`: the reasons, as sentences. */
export class SpecError extends Error {
  readonly messages: ReadonlyArray<string>

  constructor(...messages: ReadonlyArray<string>) {
    super(messages[0])
    this.messages = messages
  }
}
