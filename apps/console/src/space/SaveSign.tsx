/** Says whether the server has the text. "Saved" only when it has answered for this very text. */
import { isSaved, type SaveState } from "@lectern/editor/saving/SaveState"
import { text } from "../language/Language.ts"

interface SaveSignProps {
  readonly save: SaveState | undefined
  readonly hasJournal: boolean
}

const messageOf = (save: SaveState, hasJournal: boolean): string => {
  switch (save.status) {
    case "waiting":
      return text(hasJournal ? "save.waiting" : "save.waitingOnlyHere")
    case "signedOut":
      return text("save.signedOut")
    case "refused":
      return text("save.refused", { reason: save.reason ?? "" })
    default:
      return text(isSaved(save) ? "save.saved" : "save.saving")
  }
}

export const SaveSign = ({ save, hasJournal }: SaveSignProps) => {
  if (save === undefined) return null
  const isTrouble = save.status === "waiting" || save.status === "signedOut" || save.status === "refused"
  return (
    <p
      className={isTrouble ? "save-sign trouble" : "save-sign"}
      data-status={isSaved(save) ? "saved" : save.status}
      role="status"
    >
      {messageOf(save, hasJournal)}
    </p>
  )
}
