/**
 * Feedback of an agent that reads a site for a person. The subject is a page, a tool, a command, an endpoint, or none.
 * The feedback is stored as a visitor event of type `agent_feedback`, with its text as the comment.
 *
 * Limits in characters: summary 256, detail 4,096, workaround 2,048; feedback about a page 2,048, its goal 1,024.
 */
import { Schema } from "effect"
import { PublicUrlText } from "../publishing/PublishedUrl.ts"
import * as Text from "../schema/Text.ts"

const shortText = Text.atMost(100)

const Subject = Schema.Union([
  Schema.Struct({
    kind: Schema.Literal("mcp-tool"),
    toolName: Text.atMost(200),
    target: Schema.optionalKey(Text.atMost(200))
  }),
  Schema.Struct({
    kind: Schema.Literal("cli-command"),
    command: Text.atMost(200),
    flags: Schema.optionalKey(Schema.Array(shortText).check(Schema.isMaxLength(50)))
  }),
  Schema.Struct({
    kind: Schema.Literal("api-endpoint"),
    method: Schema.Literals(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]),
    path: Text.atMost(500)
  }),
  Schema.Struct({ kind: Schema.Literal("documentation"), url: PublicUrlText }),
  Schema.Struct({ kind: Schema.Literal("generic") })
])

const Count = Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)))

export const AgentFeedbackInput = Schema.Struct({
  /** Subject of the feedback, such as a page or an API endpoint. */
  subject: Subject,
  /** Category, severity and text. */
  feedback: Schema.Struct({
    category: Schema.Literals([
      "usability",
      "reliability",
      "documentation",
      "efficiency",
      "interoperability",
      "could-not-accomplish"
    ]),
    severity: Schema.optionalKey(Schema.Literals(["low", "medium", "high"])),
    goal: Schema.optionalKey(Text.atMost(1024)),
    summary: Text.between(1, 256),
    detail: Schema.optionalKey(Text.atMost(4096)),
    workaround: Schema.optionalKey(Text.atMost(2048)),
    metrics: Schema.optionalKey(Schema.Struct({ callCount: Count, successCount: Count, retryCount: Count }))
  }),
  /** Agent that reports. Default: unknown. */
  reportedBy: Schema.optionalKey(
    Schema.Struct({
      model: Schema.optionalKey(shortText),
      userAgent: Schema.optionalKey(Text.atMost(512)),
      correlationId: Schema.optionalKey(shortText),
      onDemand: Schema.optionalKey(Schema.Boolean)
    })
  )
})
export type AgentFeedbackInput = typeof AgentFeedbackInput.Type

/** Input of `POST …/agent-feedback`: feedback about a page, as older clients send it. */
export const ContentFeedbackInput = Schema.Struct({
  feedback: Text.between(1, 2048),
  goal: Schema.optionalKey(Text.atMost(1024)),
  url: PublicUrlText,
  spaceId: Text.atMost(256),
  pageId: Text.atMost(256),
  source: Schema.optionalKey(Schema.Literals(["mcp", "assistant"]))
})
type ContentFeedbackInput = typeof ContentFeedbackInput.Type

export const AgentFeedbackResponse = Schema.Struct({ id: Schema.String, result: Schema.String })
export interface AgentFeedbackResponse extends Schema.Schema.Type<typeof AgentFeedbackResponse> {}

/** Stored fields of feedback in either format. */
export interface AgentFeedback {
  /** Text of the feedback. */
  readonly comment: string
  /** URL of the page. Default: none. */
  readonly url?: string
  /** Id of the space. Default: none. */
  readonly space?: string
  /** Id of the page. Default: none. */
  readonly page?: string
  /** Way by which the agent reads the site. Default: none. */
  readonly context?: "mcp" | "site"
  /** The agent's user agent string. */
  readonly userAgent?: string
}

export const fromContent = ({ feedback, goal, url, spaceId, pageId, source }: ContentFeedbackInput): AgentFeedback => ({
  comment: paragraphs(feedback, goal && `Goal: ${goal}`),
  url,
  space: spaceId,
  page: pageId,
  context: source === "mcp" ? "mcp" : "site"
})

export const fromSubject = ({ subject, feedback, reportedBy }: AgentFeedbackInput): AgentFeedback => {
  const { category, severity, goal, summary, detail, workaround } = feedback
  return {
    comment: paragraphs(
      `${summary} (${[category, severity, nameOf(subject)].filter(Boolean).join(", ")})`,
      detail,
      workaround && `Workaround: ${workaround}`,
      goal && `Goal: ${goal}`
    ),
    ...(subject.kind === "documentation" && { url: subject.url }),
    ...(subject.kind === "mcp-tool" && { context: "mcp" }),
    ...(reportedBy?.userAgent !== undefined && { userAgent: reportedBy.userAgent })
  }
}

const nameOf = (subject: AgentFeedbackInput["subject"]): string => {
  switch (subject.kind) {
    case "mcp-tool":
      return subject.toolName
    case "cli-command":
      return subject.command
    case "api-endpoint":
      return `${subject.method} ${subject.path}`
    case "documentation":
    case "generic":
      return ""
  }
}

const paragraphs = (...parts: ReadonlyArray<string | undefined>): string => parts.filter(Boolean).join("\n\n")
