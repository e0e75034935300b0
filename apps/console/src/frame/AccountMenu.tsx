/** The menu of the account: a page of the account, the appearance, the language, and signing out. */
import { useState } from "react"
import { Button, Header, Menu, MenuItem, MenuSection, MenuTrigger, Popover, Separator } from "react-aria-components"
import type { User } from "../api/Resources.ts"
import { chooseLanguage, currentLanguage, type Language, languages, text } from "../language/Language.ts"
import { Icon } from "./Icon.tsx"
import { Avatar } from "./Avatar.tsx"
import { applyTheme, currentTheme, type Theme, themes } from "./Theme.ts"

/** Opens a page that is not of the console. */
const leave = (path: string) => () => location.assign(path)

export const AccountMenu = ({ user }: { readonly user: User }) => {
  const [theme, setTheme] = useState<Theme>(currentTheme)
  return (
    <MenuTrigger>
      <Button className="avatar" aria-label={text("account.menu", { name: user.displayName })}>
        <Avatar name={user.displayName} />
      </Button>
      <Popover className="popover" placement="bottom end">
        <Menu className="menu" aria-label={text("account.menu", { name: user.displayName })}>
          <MenuSection>
            <Header className="menu-title">{user.displayName}</Header>
            <MenuItem className="menu-item" href="/account">
              {text("account.title")}
            </MenuItem>
            <MenuItem className="menu-item" onAction={leave("/docs")}>
              {text("account.reference")}
            </MenuItem>
          </MenuSection>
          <Separator className="menu-line" />
          <MenuSection
            selectionMode="single"
            disallowEmptySelection
            selectedKeys={[theme]}
            onSelectionChange={(keys) => {
              const [next] = [...(keys as Set<Theme>)]
              applyTheme(next)
              setTheme(next!)
            }}
          >
            <Header className="menu-title">{text("account.theme")}</Header>
            {themes.map((name) => (
              <MenuItem key={name} id={name} className="menu-item">
                {text(`account.theme.${name}`)}
                <Icon name="check" />
              </MenuItem>
            ))}
          </MenuSection>
          <Separator className="menu-line" />
          <MenuSection
            selectionMode="single"
            disallowEmptySelection
            selectedKeys={[currentLanguage()]}
            onSelectionChange={(keys) => chooseLanguage([...(keys as Set<Language>)][0]!)}
          >
            <Header className="menu-title">{text("account.language")}</Header>
            {Object.entries(languages).map(([language, name]) => (
              <MenuItem key={language} id={language} className="menu-item" textValue={name}>
                <span lang={language}>{name}</span>
                <Icon name="check" />
              </MenuItem>
            ))}
          </MenuSection>
          <Separator className="menu-line" />
          <MenuItem className="menu-item" onAction={leave("/-/sign-out")}>
            {text("account.signOut")}
          </MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}
