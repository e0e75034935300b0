/**
 * Dialog that invites people by their e-mail addresses. Without a mail server, the response has a link for each person,
 * which the dialog shows.
 */
import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import { Button, Form, Label, TextArea, TextField } from "react-aria-components"
import type { Organization } from "../api/Resources.ts"
import { notify } from "../frame/Notices.tsx"
import { FormProblem } from "../frame/Problem.tsx"
import { Window } from "../frame/Window.tsx"
import { countedText, roleName, text } from "../language/Language.ts"
import { invite, type RoleName, roles } from "./MemberQueries.ts"

interface InvitePeopleProps {
  readonly organization: Organization
  readonly onClose: () => void
}

export const InvitePeople = ({ organization, onClose }: InvitePeopleProps) => {
  const [addresses, setAddresses] = useState("")
  const [role, setRole] = useState<RoleName>(organization.defaultRole ?? "guest")
  const emails = addresses.split(/[\s,;]+/).filter((address) => address !== "")
  const send = useMutation({
    mutationFn: () => invite(organization.id, emails, role),
    onSuccess: ({ invites, invited }) => {
      if (invites.some(({ urls }) => urls.link !== undefined)) return
      onClose()
      notify(countedText("members.invited", invited))
    }
  })
  const links = send.data?.invites.filter(({ urls }) => urls.link !== undefined) ?? []
  if (links.length > 0)
    return (
      <Window title={text("members.invite")} isOpen onClose={onClose}>
        <p role="status">{text("members.links")}</p>
        <ul className="plain-list">
          {links.map(({ email, id, urls }) => (
            <li key={id}>
              <strong dir="auto">{email}</strong>
              <br />
              <code className="invite-link" dir="ltr">
                {urls.link}
              </code>
            </li>
          ))}
        </ul>
        <div className="buttons end">
          <Button className="control primary" onPress={onClose} autoFocus>
            {text("action.close")}
          </Button>
        </div>
      </Window>
    )
  return (
    <Window title={text("members.invite")} isOpen onClose={onClose}>
      <Form
        onSubmit={(event) => {
          event.preventDefault()
          send.mutate()
        }}
      >
        <TextField value={addresses} onChange={setAddresses} isRequired autoFocus>
          <Label>{text("members.addresses")}</Label>
          <TextArea rows={3} dir="ltr" />
        </TextField>
        <label className="field">
          <span className="field-label">{text("members.role")}</span>
          <select className="select" value={role} onChange={(event) => setRole(event.target.value as RoleName)}>
            {roles.map((name) => (
              <option key={name} value={name}>
                {roleName(name)}
              </option>
            ))}
          </select>
        </label>
        <FormProblem failure={send.error} />
        <div className="buttons end">
          <Button className="control" onPress={onClose}>
            {text("action.cancel")}
          </Button>
          <Button className="control primary" type="submit" isDisabled={emails.length === 0 || send.isPending}>
            {text("members.invite")}
          </Button>
        </div>
      </Form>
    </Window>
  )
}
