/** Client of the API, with the token of an event. */
import type { Environment } from "./Environment.ts"

/** Raised for a response of the API without status 2xx. */
export class InterfaceFailed extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Returns a function that calls the API as the installation, or as the integration itself. */
export const interfaceOf =
  ({ apiEndpoint, apiTokens }: Environment, as: "installation" | "integration" = "installation") =>
  async <A>(method: "GET" | "POST" | "PATCH", path: string, body?: unknown): Promise<A> => {
    const response = await fetch(`${apiEndpoint}/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${apiTokens[as] ?? apiTokens.integration}`,
        ...(body !== undefined && { "content-type": "application/json" })
      },
      ...(body !== undefined && { body: JSON.stringify(body) })
    })
    const text = await response.text()
    if (!response.ok) throw new InterfaceFailed(response.status, `${method} ${path}: ${response.status} ${text}`)
    return (text === "" ? undefined : JSON.parse(text)) as A
  }
