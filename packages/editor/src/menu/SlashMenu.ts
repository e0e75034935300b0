/** The menu of `/`: all types of blocks. It opens where a word can start. */
import type { Plugin } from "prosemirror-state"
import { withValues } from "../EditorTexts.ts"
import { blockChoices, insertChoice, matchingChoices } from "./BlockChoices.ts"
import type { MenuContext } from "./MenuOptions.ts"
import { triggerMenu } from "./TriggerMenu.ts"

export const slashMenu = (context: MenuContext): Plugin => {
  const choices = blockChoices(context)
  const { blocks, insertBlock, noBlock } = context.texts
  return triggerMenu({
    name: "slashMenu",
    pattern: /(?:^|[\s\ufffc])([/／])$/,
    open: /^[/／](?!\s)(.*)$/s,
    label: insertBlock,
    items: (words) =>
      matchingChoices(choices, words).map(({ name, sign, type }) => ({
        name,
        sign,
        run: (view) => insertChoice(view, context, type)
      })),
    status: (count) => (count === 0 ? noBlock : withValues(blocks, { count }))
  })
}
