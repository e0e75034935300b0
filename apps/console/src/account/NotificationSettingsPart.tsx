/** Settings of notifications: the channel of each kind, and the time of the daily mail. Each choice is saved at once. */
import { useMutation, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import type { NotificationSettings } from "../api/Resources.ts"
import { notifyProblem } from "../frame/Notices.tsx"
import { FormProblem, Loading } from "../frame/Problem.tsx"
import { locale, text } from "../language/Language.ts"
import { notificationQueries, updateSettings } from "../notification/NotificationQueries.ts"

const channels = ["inbox", "mail", "digest", "off"] as const

type Kind = keyof NotificationSettings["kinds"]

/** Kinds in groups, in the order of their display. */
const groups = {
  work: ["review-requested", "reviewed", "change-request-opened", "change-request-merged", "change-request-conflict"],
  discussion: ["mention", "comment", "reply", "reaction"],
  people: ["invitation", "assigned", "role-changed"],
  background: ["import", "export", "translation", "git-sync", "link-check", "domain", "webhook"]
} as const satisfies { readonly [group: string]: ReadonlyArray<Kind> }

const hours = Array.from({ length: 24 }, (_, hour) => hour)

/** Returns an hour of the day in words, such as "8:00 AM". */
const hourName = (hour: number): string =>
  new Intl.DateTimeFormat(locale(), { hour: "numeric", minute: "2-digit", timeZone: "UTC" }).format(hour * 3_600_000)

const timeZones = (current: string): ReadonlyArray<string> => [
  ...new Set(["UTC", current, Intl.DateTimeFormat().resolvedOptions().timeZone, ...Intl.supportedValuesOf("timeZone")])
]

export const NotificationSettingsPart = () => {
  const { data: settings, error } = useQuery(notificationQueries.settings())
  const [savedAt, setSavedAt] = useState(0)
  const save = useMutation({
    mutationFn: updateSettings,
    onSuccess: () => setSavedAt(Date.now()),
    onError: notifyProblem
  })
  return (
    <section aria-labelledby="notifications">
      <div className="section-head">
        <h2 id="notifications">{text("notifications.title")}</h2>
        <span className="muted" role="status">
          {savedAt > 0 && text("account.saved")}
        </span>
      </div>
      <p className="muted">{text("notifications.about")}</p>
      <FormProblem failure={error} />
      {settings === undefined && !error && <Loading />}
      {settings !== undefined && (
        <>
          {(Object.keys(groups) as ReadonlyArray<keyof typeof groups>).map((group) => (
            <fieldset key={group} className="setting-group">
              <legend>{text(`notifications.group.${group}`)}</legend>
              {groups[group].map((kind) => (
                <label key={kind} className="setting">
                  <span>{text(`notifications.kind.${kind}`)}</span>
                  <select
                    className="select"
                    value={settings.kinds[kind]}
                    onChange={(event) => save.mutate({ kinds: { [kind]: event.target.value } })}
                  >
                    {channels.map((channel) => (
                      <option key={channel} value={channel}>
                        {text(`notifications.channel.${channel}`)}
                      </option>
                    ))}
                  </select>
                </label>
              ))}
            </fieldset>
          ))}
          <fieldset className="setting-group">
            <legend>{text("notifications.digest")}</legend>
            <label className="setting">
              <span>{text("notifications.digestHour")}</span>
              <select
                className="select"
                value={settings.digestHour}
                onChange={(event) => save.mutate({ digestHour: Number(event.target.value) })}
              >
                {hours.map((hour) => (
                  <option key={hour} value={hour}>
                    {hourName(hour)}
                  </option>
                ))}
              </select>
            </label>
            <label className="setting">
              <span>{text("notifications.timeZone")}</span>
              <select
                className="select"
                dir="ltr"
                value={settings.timeZone}
                onChange={(event) => save.mutate({ timeZone: event.target.value })}
              >
                {timeZones(settings.timeZone).map((zone) => (
                  <option key={zone} value={zone}>
                    {zone.replaceAll("_", " ")}
                  </option>
                ))}
              </select>
            </label>
          </fieldset>
        </>
      )}
    </section>
  )
}
