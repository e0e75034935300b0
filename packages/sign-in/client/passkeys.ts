/**
 * Forms that create or use a passkey (`data-passkey`). The script requests options from the server, passes them to the
 * browser, and sends the response with the form. Without the script such a form stays hidden, since only a script can
 * reach passkeys.
 */

const start = (form: HTMLFormElement): void => {
  if (globalThis.PublicKeyCredential?.parseCreationOptionsFromJSON === undefined) {
    reveal(form, "unsupported")
    return
  }
  form.hidden = false
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    void send(form)
  })
}

const send = async (form: HTMLFormElement): Promise<void> => {
  const button = form.querySelector("button")!
  const response = form.querySelector<HTMLInputElement>('input[name="response"]')!
  button.disabled = true
  reveal(form, undefined)
  try {
    response.value = JSON.stringify(await responseOf(form))
    form.submit()
  } catch (failure) {
    button.disabled = false
    reveal(form, failure instanceof DOMException && failure.name === "InvalidStateError" ? "exists" : "failed")
  }
}

/** Returns the response of the passkey, as JSON for the server. Fails if the person cancels. */
const responseOf = async (form: HTMLFormElement): Promise<unknown> => {
  const reply = await fetch(form.dataset["options"]!, { headers: { accept: "application/json" } })
  if (!reply.ok) throw new Error(`The server refused: ${reply.status}`)
  const options = await reply.json()
  const credential =
    form.dataset["passkey"] === "create"
      ? await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
      : await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) })
  if (credential === null) throw new Error("The browser returned no passkey")
  return (credential as PublicKeyCredential).toJSON()
}

/** Shows one of the messages after a form, and hides the others. */
const reveal = (form: HTMLFormElement, name: string | undefined): void => {
  for (const message of document.querySelectorAll<HTMLElement>(`[data-passkey-message][data-for="${form.id}"]`)) {
    message.hidden = message.dataset["passkeyMessage"] !== name
  }
}

for (const form of document.querySelectorAll<HTMLFormElement>("form[data-passkey]")) start(form)
