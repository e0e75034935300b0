/** Posts messages to a Slack channel, or to another service with compatible incoming webhooks. */
import { configurationScreen } from "../runtime/ConfigurationScreen.ts"
import type { Values } from "../runtime/Event.ts"
import { type RequestContext, integration } from "../runtime/Integration.ts"
import { interfaceOf } from "../runtime/Interface.ts"
import { outbox } from "../runtime/Outbox.ts"
import { isWebUrl } from "../runtime/Url.ts"
import { ofFeedback, ofUpdate, type SiteAddress } from "./Message.ts"

const configure = configurationScreen({
  of: "installation",
  intro: () => "Posts to a channel when the content of a space has changed, and when a reader leaves feedback.",
  fields: [
    {
      name: "url",
      label: "Incoming webhook",
      hint: "The URL that Slack gave you for the channel. Whoever knows it can post there",
      placeholder: "https://hooks.slack.com/services/…",
      isSecret: true
    }
  ],
  problem: ({ url }) => (isWebUrl(url) ? undefined : "The URL begins with https:// or http://")
})

const posts = outbox<{ readonly text: string }>((message, { url }) =>
  typeof url === "string" && isWebUrl(url)
    ? new Request(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(message)
      })
    : undefined
)

const isConfigured = ({ environment }: RequestContext): boolean =>
  typeof environment.installation?.configuration["url"] === "string"

interface Titled {
  readonly title: string
  readonly urls: Values
}

/** Title and URL of a page or space for its readers; one that is not published has the editor's URL. */
const placeOf = ({ title, urls }: Titled): SiteAddress => ({ title, url: String(urls["published"] ?? urls["app"]) })

export default integration({
  components: { configure },
  task: posts.task,

  space_content_updated: async (event, context) => {
    if (!isConfigured(context)) return
    const space = await interfaceOf(context.environment)<Titled>("GET", `/spaces/${event.spaceId}`)
    posts.send(context, { text: ofUpdate(event, placeOf(space)) })
  },

  page_feedback: async (event, context) => {
    if (!isConfigured(context)) return
    const { organization } = context.environment.installation!.target
    const site = await interfaceOf(context.environment)<Titled>("GET", `/orgs/${organization}/sites/${event.siteId}`)
    posts.send(context, { text: ofFeedback(event, placeOf(site)) })
  }
})
