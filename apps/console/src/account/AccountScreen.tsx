/**
 * The account of the user: profile, language, appearance, and notifications. Passwords, passkeys, sessions and tokens have
 * pages of their own below `/-/account`, which work without the console.
 */
import { useMutation, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { Button, FieldError, Form, Input, Label, Radio, RadioGroup, TextField } from "react-aria-components"
import { request } from "../api/Api.ts"
import { client, queries } from "../api/Queries.ts"
import type { User } from "../api/Resources.ts"
import { useTitle } from "../frame/Bar.tsx"
import { Icon } from "../frame/Icon.tsx"
import { notify } from "../frame/Notices.tsx"
import { FormProblem, Loading, Problem } from "../frame/Problem.tsx"
import { applyTheme, currentTheme, type Theme, themes } from "../frame/Theme.ts"
import { chooseLanguage, currentLanguage, type Language, languages, text } from "../language/Language.ts"
import { NotificationSettingsPart } from "./NotificationSettingsPart.tsx"

const maxName = 100

/** Languages of mails and of the pages for signing in, with their own names. */
const mailLanguages = {
  ar: "العربية",
  de: "Deutsch",
  en: "English",
  es: "Español",
  fr: "Français",
  ja: "日本語",
  nl: "Nederlands",
  no: "Norsk",
  "pt-br": "Português (Brasil)",
  ru: "Русский",
  zh: "中文"
} as const

const securityPages = [
  ["password", "/-/account/password"],
  ["passkeys", "/-/account/passkeys"],
  ["factor", "/-/account/factor"],
  ["sessions", "/-/account/sessions"],
  ["tokens", "/-/account/tokens"],
  ["invitations", "/-/account/invitations"]
] as const

const updateUser = async (patch: object): Promise<void> => {
  client.setQueryData(queries.me().queryKey, await request<User>("/user", { method: "PATCH", body: patch }))
}

export const AccountScreen = () => {
  useTitle(text("account.title"))
  const { data: user, error, refetch } = useQuery(queries.me())
  if (error) return <Problem failure={error} retry={() => void refetch()} />
  if (user === undefined) return <Loading />
  return (
    <div className="sheet account">
      <h1>{text("account.title")}</h1>
      <Profile user={user} />
      <section aria-labelledby="display">
        <h2 id="display">{text("account.display")}</h2>
        <LanguageChoice user={user} />
        <ThemeChoice />
      </section>
      <NotificationSettingsPart />
      <section aria-labelledby="security">
        <h2 id="security">{text("account.security")}</h2>
        <ul className="rows">
          {securityPages.map(([name, path]) => (
            <li key={name}>
              <a className="row" href={path}>
                <span className="row-title">
                  {text(`account.security.${name}`)}
                  <span className="muted row-sub">{text(`account.security.${name}.text`)}</span>
                </span>
                <Icon name="chevron" />
              </a>
            </li>
          ))}
        </ul>
      </section>
    </div>
  )
}

const Profile = ({ user }: { readonly user: User }) => {
  const [name, setName] = useState(user.displayName)
  const [picture, setPicture] = useState(user.photoURL ?? "")
  const save = useMutation({
    mutationFn: () => updateUser({ displayName: name.trim(), photoURL: picture.trim() === "" ? null : picture.trim() }),
    onSuccess: () => notify(text("account.saved"))
  })
  return (
    <section aria-labelledby="profile">
      <h2 id="profile">{text("account.profile")}</h2>
      <Form
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <TextField value={name} onChange={setName} maxLength={maxName} isRequired autoComplete="name">
          <Label>{text("account.name")}</Label>
          <Input dir="auto" />
          <FieldError className="input-problem" />
        </TextField>
        {user.email !== undefined && (
          <TextField value={user.email} isReadOnly>
            <Label>{text("account.email")}</Label>
            <Input dir="ltr" />
          </TextField>
        )}
        <TextField value={picture} onChange={setPicture} type="url">
          <Label>{text("account.picture")}</Label>
          <Input dir="ltr" placeholder="https://" />
          <FieldError className="input-problem" />
        </TextField>
        <FormProblem failure={save.error} />
        <div className="buttons">
          <Button className="control primary" type="submit" isDisabled={save.isPending}>
            {text("action.save")}
          </Button>
        </div>
      </Form>
    </section>
  )
}

const LanguageChoice = ({ user }: { readonly user: User }) => {
  const save = useMutation({ mutationFn: updateUser, onSuccess: () => notify(text("account.saved")) })
  return (
    <div className="field-pair">
      <label className="field">
        <span className="field-label">{text("account.language")}</span>
        <select
          className="select"
          value={currentLanguage()}
          onChange={(event) => chooseLanguage(event.target.value as Language)}
        >
          {Object.entries(languages).map(([language, name]) => (
            <option key={language} value={language} lang={language}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label className="field">
        <span className="field-label">{text("account.mailLanguage")}</span>
        <select
          className="select"
          value={user.language ?? ""}
          disabled={save.isPending}
          onChange={(event) => save.mutate({ language: event.target.value === "" ? null : event.target.value })}
        >
          <option value="">{text("account.mailLanguage.browser")}</option>
          {Object.entries(mailLanguages).map(([language, name]) => (
            <option key={language} value={language} lang={language}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <FormProblem failure={save.error} />
    </div>
  )
}

const ThemeChoice = () => {
  const [theme, setTheme] = useState<Theme>(currentTheme)
  return (
    <RadioGroup
      className="choice"
      orientation="horizontal"
      value={theme}
      onChange={(value) => {
        applyTheme(value as Theme)
        setTheme(value as Theme)
      }}
    >
      <Label className="field-label">{text("account.theme")}</Label>
      {themes.map((name) => (
        <Radio key={name} value={name}>
          {text(`account.theme.${name}`)}
        </Radio>
      ))}
    </RadioGroup>
  )
}
