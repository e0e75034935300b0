/**
 * States of saving one document, as a pure function from state and event to the next state and its effects.
 *
 * - `saved`: the server has this very text.
 * - `changed`: there are edits. They are sent after a pause of 500 ms, or when the last answer has arrived.
 * - `sending`: a request is on its way. Edits that follow wait for its answer.
 * - `merging`: the server has a newer revision, which is being merged.
 * - `waiting`: the last request was not answered. It is sent again, with growing pauses up to 30 seconds.
 * - `signedOut`: the session has ended. Edits go on, and are sent after the next sign-in.
 * - `refused`: the server refused the text for good, such as a right that was lost. Edits stay in the journal.
 *
 * Every edit is written to the journal first, in every state (see `effects`). An entry leaves the journal when the
 * server has answered for its text. So a text survives a reload, a sign-out, and a day without network.
 *
 * `text` counts the versions of the text in this editor: 0 is the text that was opened.
 */
export interface SaveState {
  readonly status: "saved" | "changed" | "sending" | "merging" | "waiting" | "signedOut" | "refused"
  /** Revision of the server that the text is based on. */
  readonly revision: string
  /** Version of the text in the editor. */
  readonly text: number
  /** Version of the text that the server has. */
  readonly savedText: number
  /** Version of the text on its way. Only while `sending`. */
  readonly sentText?: number
  /** Number of requests without an answer since the last answer. */
  readonly failures: number
  /** Reason of a refusal, for the writer. Only while `refused`. */
  readonly reason?: string
}

export type SaveEvent =
  | { readonly type: "edited" }
  /** The pause after the last edit, or after a failure, is over. */
  | { readonly type: "elapsed" }
  | { readonly type: "accepted"; readonly revision: string }
  /** The answer was that the server has another revision than the one that was sent. */
  | { readonly type: "outdated" }
  /** A hint that the server has a revision, such as from the feed of events. */
  | { readonly type: "announced"; readonly revision: string }
  /** The newer revision is merged into the text of the editor. `isChanged`: the text differs from that revision. */
  | { readonly type: "merged"; readonly revision: string; readonly isChanged: boolean }
  | { readonly type: "unanswered" }
  | { readonly type: "sessionEnded" }
  | { readonly type: "signedIn" }
  | { readonly type: "refused"; readonly reason: string }

export type SaveEffect =
  /** Write the text to the journal, before anything else. */
  | { readonly type: "journal" }
  /** Remove entries of the journal up to a version of the text. */
  | { readonly type: "forget"; readonly text: number }
  /** Report `elapsed` after a pause, instead of after an earlier one. */
  | { readonly type: "pause"; readonly milliseconds: number }
  | { readonly type: "send"; readonly revision: string; readonly text: number }
  /** Fetch the newest revision and merge it. */
  | { readonly type: "merge" }

export interface SaveStep {
  readonly state: SaveState
  readonly effects: ReadonlyArray<SaveEffect>
}

export const editPause = 500
const maxPause = 30_000

export const opened = (revision: string): SaveState => ({
  status: "saved",
  revision,
  text: 0,
  savedText: 0,
  failures: 0
})

export const step = (state: SaveState, event: SaveEvent): SaveStep => {
  switch (event.type) {
    case "edited":
      return edited({ ...state, text: state.text + 1 })
    case "elapsed":
      return state.status === "changed" || state.status === "waiting" ? sending(state) : { state, effects: [] }
    case "accepted":
      return accepted(state, event.revision)
    case "outdated":
      return state.status === "sending" ? merging(state) : { state, effects: [] }
    case "announced":
      // A request on its way is answered with the newer revision, or made it.
      return event.revision !== state.revision && (state.status === "saved" || state.status === "changed")
        ? merging(state)
        : { state, effects: [] }
    case "merged":
      return merged(state, event.revision, event.isChanged)
    case "unanswered":
      return unanswered(state)
    case "sessionEnded":
      return { state: { ...without(state), status: "signedOut" }, effects: [] }
    case "signedIn":
      return state.status === "signedOut" ? sending({ ...state, failures: 0 }) : { state, effects: [] }
    case "refused":
      return { state: { ...without(state), status: "refused", reason: event.reason }, effects: [] }
  }
}

/** True if the server has the text of the editor. */
export const isSaved = ({ status, text, savedText }: SaveState): boolean => status === "saved" && text === savedText

const without = ({ sentText: _, reason: __, ...state }: SaveState): SaveState => state

const edited = (state: SaveState): SaveStep => {
  const journal = { type: "journal" } as const
  // In all other states, an answer or a sign-in continues.
  if (state.status !== "saved" && state.status !== "changed") return { state, effects: [journal] }
  return {
    state: { ...state, status: "changed" },
    effects: [journal, { type: "pause", milliseconds: editPause }]
  }
}

const sending = (state: SaveState): SaveStep => ({
  state: { ...without(state), status: "sending", sentText: state.text },
  effects: [{ type: "send", revision: state.revision, text: state.text }]
})

const merging = (state: SaveState): SaveStep => ({
  state: { ...without(state), status: "merging" },
  effects: [{ type: "merge" }]
})

const accepted = (state: SaveState, revision: string): SaveStep => {
  if (state.status !== "sending") return { state, effects: [] }
  const savedText = state.sentText!
  const forget = { type: "forget", text: savedText } as const
  const next = { ...without(state), revision, savedText, failures: 0 }
  return next.text === savedText
    ? { state: { ...next, status: "saved" }, effects: [forget] }
    : { state: { ...next, status: "changed" }, effects: [forget, { type: "pause", milliseconds: editPause }] }
}

const merged = (state: SaveState, revision: string, isChanged: boolean): SaveStep => {
  if (state.status !== "merging") return { state, effects: [] }
  const text = state.text + 1
  if (isChanged) {
    const next = sending({ ...state, revision, text })
    return { state: next.state, effects: [{ type: "journal" }, ...next.effects] }
  }
  return {
    state: { ...state, status: "saved", revision, text, savedText: text, failures: 0 },
    effects: [{ type: "forget", text }]
  }
}

const unanswered = (state: SaveState): SaveStep => {
  if (state.status !== "sending" && state.status !== "merging") return { state, effects: [] }
  const failures = state.failures + 1
  return {
    state: { ...without(state), status: "waiting", failures },
    effects: [{ type: "pause", milliseconds: Math.min(maxPause, 1_000 * 2 ** Math.min(failures - 1, 5)) }]
  }
}
