/** The outline of the text: a menu of its headings, with the number of words. A heading moves the cursor there. */
import type { Outline } from "@lectern/editor/Outline"
import { useRef, useState } from "react"
import { Button, Header, Menu, MenuItem, MenuSection, MenuTrigger, Popover } from "react-aria-components"
import { Icon } from "../frame/Icon.tsx"
import { locale } from "../language/Language.ts"
import { writingText } from "../language/WritingTexts.ts"
import type { PageSession } from "./PageSession.ts"

export const OutlineMenu = ({ session }: { readonly session: PageSession }) => {
  const [outline, setOutline] = useState<Outline>()
  const chosen = useRef<string>(undefined)
  return (
    <MenuTrigger
      onOpenChange={(isOpen) => {
        if (isOpen) setOutline(session.outline())
      }}
    >
      <Button
        className="plain"
        onFocus={() => {
          // The menu returns the focus to its button after a choice.
          const key = chosen.current
          chosen.current = undefined
          if (key !== undefined) session.goTo(key)
        }}
      >
        <Icon name="menu" />
        {writingText("outline.title")}
      </Button>
      <Popover className="popover" placement="bottom start">
        <Menu
          className="menu outline-menu"
          aria-label={writingText("outline.title")}
          onAction={(key) => {
            chosen.current = String(key)
          }}
        >
          <MenuSection>
            <Header className="menu-title">
              {writingText("outline.words", { count: (outline?.words ?? 0).toLocaleString(locale()) })}
            </Header>
            {outline === undefined || outline.headings.length === 0 ? (
              <MenuItem id="none" isDisabled className="menu-item muted">
                {writingText("outline.none")}
              </MenuItem>
            ) : (
              outline.headings.map(({ key, level, title }) => (
                <MenuItem key={key} id={key} className="menu-item" data-level={level} textValue={title}>
                  <bdi>{title}</bdi>
                </MenuItem>
              ))
            )}
          </MenuSection>
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}
