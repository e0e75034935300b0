/**
 * Publishes a space as a site, with three choices: its name, who reads it, and its theme. A space that is on a site
 * already shows the site.
 */
import { useMutation, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { Button, Form, Input, Label, Radio, RadioGroup, TextField } from "react-aria-components"
import { request } from "../api/Api.ts"
import { client, queries } from "../api/Queries.ts"
import type { Site, Space } from "../api/Resources.ts"
import { Icon } from "../frame/Icon.tsx"
import { notify } from "../frame/Notices.tsx"
import { FormProblem, Loading } from "../frame/Problem.tsx"
import { Window } from "../frame/Window.tsx"
import { text } from "../language/Language.ts"

const audiences = ["public", "unlisted"] as const
const themes = ["clean", "muted", "bold"] as const

export const PublishButton = ({ space }: { readonly space: Space }) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button className="side-button" onPress={() => setOpen(true)}>
        <Icon name="globe" />
        {text("publish.title")}
      </Button>
      <Window title={text("publish.title")} isOpen={isOpen} onClose={() => setOpen(false)}>
        <Publish space={space} />
      </Window>
    </>
  )
}

const Publish = ({ space }: { readonly space: Space }) => {
  const { data: sites, error } = useQuery(queries.sitesOfSpace(space.organization, space.id))
  if (error) return <FormProblem failure={error} />
  if (sites === undefined) return <Loading />
  return sites.length === 0 ? (
    <NewSite space={space} />
  ) : (
    sites.map((site) => <ExistingSite key={site.id} site={site} space={space} />)
  )
}

const refresh = (space: Space) =>
  Promise.all([
    client.invalidateQueries({ queryKey: ["sites", space.organization] }),
    client.invalidateQueries({ queryKey: ["space", space.id] })
  ])

const ExistingSite = ({ site, space }: { readonly site: Site; readonly space: Space }) => {
  const path = `/orgs/${space.organization}/sites/${site.id}`
  const change = useMutation({
    mutationFn: (action: "publish" | "unpublish") => request(`${path}/${action}`, { method: "POST" }),
    onSuccess: (_, action) => {
      notify(text(action === "publish" ? "publish.done" : "publish.ended"))
      return refresh(space)
    }
  })
  return (
    <div className="site">
      <h3 dir="auto">{site.title}</h3>
      <p>
        {text(site.published ? "publish.isPublished" : "publish.isNot")} {text(`publish.audience.${site.visibility}`)}
      </p>
      {site.published && site.urls.published && (
        <p>
          <a href={site.urls.published} target="_blank" rel="noreferrer" dir="ltr">
            {site.urls.published}
          </a>
        </p>
      )}
      <FormProblem failure={change.error} />
      <div className="buttons">
        {site.published && site.urls.published && (
          <a className="control primary" href={site.urls.published} target="_blank" rel="noreferrer">
            {text("publish.open")}
          </a>
        )}
        <Button
          className={site.published ? "control" : "control primary"}
          isDisabled={change.isPending}
          onPress={() => change.mutate(site.published ? "unpublish" : "publish")}
        >
          {text(site.published ? "publish.end" : "publish.action")}
        </Button>
      </div>
    </div>
  )
}

const NewSite = ({ space }: { readonly space: Space }) => {
  const [title, setTitle] = useState(space.title)
  const [audience, setAudience] = useState<string>("public")
  const [theme, setTheme] = useState<string>("clean")
  const publish = useMutation({
    mutationFn: async () => {
      const sites = `/orgs/${space.organization}/sites`
      const site = await request<Site>(sites, {
        body: { title: title.trim(), visibility: audience, spaces: [space.id] }
      })
      const path = `${sites}/${site.id}`
      const customization = await request<{ readonly styling: object }>(`${path}/customization`)
      await request(`${path}/customization`, {
        method: "PUT",
        body: { ...customization, styling: { ...customization.styling, theme } }
      })
      return request<Site>(`${path}/publish`, { method: "POST" })
    },
    onSuccess: () => notify(text("publish.done")),
    // A site that was made is shown, whatever failed after it.
    onSettled: () => refresh(space)
  })
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault()
        publish.mutate()
      }}
    >
      <p>{text("publish.about")}</p>
      <TextField value={title} onChange={setTitle} isRequired maxLength={100}>
        <Label>{text("publish.name")}</Label>
        <Input dir="auto" />
      </TextField>
      <RadioGroup value={audience} onChange={setAudience} className="options">
        <Label>{text("publish.audience")}</Label>
        {audiences.map((name) => (
          <Radio key={name} value={name} className="option">
            <span>{text(`publish.audience.${name}`)}</span>
          </Radio>
        ))}
      </RadioGroup>
      <RadioGroup value={theme} onChange={setTheme} className="choice" orientation="horizontal">
        <Label className="field-label">{text("publish.theme")}</Label>
        {themes.map((name) => (
          <Radio key={name} value={name}>
            {text(`publish.theme.${name}`)}
          </Radio>
        ))}
      </RadioGroup>
      <FormProblem failure={publish.error} />
      <div className="buttons end">
        <Button className="control primary" type="submit" isDisabled={publish.isPending}>
          {text("publish.action")}
        </Button>
      </div>
    </Form>
  )
}
