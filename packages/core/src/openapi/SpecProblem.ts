/** Why a text is no spec, in sentences. */
export class Problem extends Error {
  readonly messages: ReadonlyArray<string>

  constructor(...messages: ReadonlyArray<string>) {
    super(messages[0])
    this.messages = messages
  }
}
