/** Parts of pages about passkeys and second factors: forms, pictures of keys, lists of codes. */
import { html, type Html, trusted } from "@lectern/site/html/Html"
import { Redacted } from "effect"
import { renderSVG } from "uqr"
import type { CodeRefused } from "../factor/CodeRefused.ts"
import type { AppSetup, RecoveryCodes } from "../factor/SecondFactors.ts"
import { optionsPath } from "../server/Paths.ts"
import { fill, type PageMessages } from "./PageMessages.ts"

/**
 * Returns a form that creates or uses a passkey. It stays hidden without its script (`PasskeyScript`), which shows one of
 * the messages after it if the passkey can't be used.
 *
 * @param path Path of the form. The options of the passkey are at `options` below it.
 * @param fields Fields of the form, before its button.
 */
export const passkeyForm = (
  { passkeys }: PageMessages,
  form: {
    readonly kind: "create" | "get"
    readonly path: string
    readonly button: string
    readonly fields?: Html | false
    readonly isSecondary?: boolean
  }
): Html => {
  const id = `passkey-${form.kind}`
  const message = (name: string, text: string) =>
    html`<p class="notice bad" role="alert" data-passkey-message="${name}" data-for="${id}" hidden>${text}</p>`
  return html`
    <form
      method="post"
      action="${form.path}"
      id="${id}"
      data-passkey="${form.kind}"
      data-options="${optionsPath(form.path)}"
      hidden
    >
      ${form.fields}
      <input type="hidden" name="response" />
      <div><button${form.isSecondary && trusted(' class="secondary"')}>${form.button}</button></div>
    </form>
    ${message("unsupported", passkeys.unsupported)} ${message("failed", passkeys.failed)}
    ${form.kind === "create" && message("exists", passkeys.exists)}
    <noscript><p class="hint">${passkeys.needsScript}</p></noscript>
  `
}

/** Returns a field for a code. `label`: label with the source of the code. */
export const codeField = (label: string, isRecoveryCodeAccepted = false): Html => html`
  <label>
    ${label}
    <input
      name="code"
      required
      maxlength="40"
      autocomplete="one-time-code"
      inputmode="${isRecoveryCodeAccepted ? "text" : "numeric"}"
      autocapitalize="none"
      spellcheck="false"
      dir="ltr"
    />
  </label>
`

/**
 * Returns the key of a new app as a picture and as text, and the form for its first code.
 *
 * @param setup Key of the app. Undefined after a wrong code, since a key is shown only once.
 * @param fields Further fields of the form.
 */
export const appSetupForm = (
  { app }: PageMessages,
  path: string,
  setup: AppSetup | undefined,
  fields: Html | false = false
): Html => html`
  ${
    setup !== undefined &&
    html`
      <p>${app.scan}</p>
      <div class="qr" role="img" aria-label="${app.picture}">
        ${trusted(renderSVG(Redacted.value(setup.uri), { border: 4, ecc: "M" }))}
      </div>
      <p>${app.key}<code class="code" tabindex="0">${Redacted.value(setup.secret)}</code></p>
    `
  }
  <form method="post" action="${path}">
    ${fields} ${codeField(app.code)}
    <div><button>${app.confirm}</button></div>
  </form>
  ${setup === undefined && startAppForm(path, app.startAgain, fields)}
`

/** Returns a form that starts the setup of an app. */
export const startAppForm = (path: string, button: string, fields: Html | false = false): Html => html`
  <form method="post" action="${path}" class="end">
    ${fields}
    <div><button class="secondary">${button}</button></div>
  </form>
`

/** Returns new recovery codes, and the link with which the reader confirms that they are stored. */
export const recoveryCodeList = ({ recovery }: PageMessages, codes: RecoveryCodes, next: string): Html => html`
  <section class="card">
    <h1>${recovery.title}</h1>
    <p>${recovery.about} ${recovery.keep}</p>
    <ol class="codes">
      ${codes.map((code) => html`<li><code>${Redacted.value(code)}</code></li>`)}
    </ol>
    <p class="end"><a class="button" href="${next}">${recovery.stored}</a></p>
  </section>
`

/** Returns why a code was refused. `now`: time in epoch ms. */
export const refusalText = (
  { codeRefused, language }: PageMessages,
  { reason, until }: CodeRefused,
  now: number
): string => {
  if (reason !== "paused" || until === undefined) return reason === "used" ? codeRefused.used : codeRefused.wrong
  const seconds = Math.max(1, Math.ceil((Date.parse(until) - now) / 1000))
  const format = new Intl.RelativeTimeFormat(language)
  return fill(
    codeRefused.paused,
    seconds < 100 ? format.format(seconds, "second") : format.format(Math.ceil(seconds / 60), "minute")
  )
}
