/** Button in the bar that opens the palette, which is loaded after the first screen, and its keys (Ctrl+K or ⌘K). */
import { lazy, Suspense, useEffect, useState } from "react"
import { Button } from "react-aria-components"
import { Icon } from "../frame/Icon.tsx"
import { text } from "../language/Language.ts"

const load = () => import("./Palette.tsx")
const Palette = lazy(async () => ({ default: (await load()).Palette }))

/** Time after the first screen at which the palette is loaded (ms). */
const preloadAfter = 1_500

const isMac = /^(?:Mac|iP)/.test(navigator.platform)

const isShortcut = ({ altKey, ctrlKey, key, metaKey, shiftKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === "k" && (isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey) && !altKey && !shiftKey

export const PaletteButton = () => {
  const [isOpen, setOpen] = useState(false)
  // It is loaded when the first screen is there, so that no key after Ctrl+K is lost.
  useEffect(() => {
    const timer = setTimeout(() => void load(), preloadAfter)
    return () => clearTimeout(timer)
  }, [])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // The editor inserts a link with these keys.
      if (event.defaultPrevented || !isShortcut(event)) return
      event.preventDefault()
      setOpen((open) => !open)
    }
    addEventListener("keydown", onKey)
    return () => removeEventListener("keydown", onKey)
  }, [])
  return (
    <>
      <Button
        className="plain palette-button"
        aria-label={text("palette.open")}
        aria-keyshortcuts={isMac ? "Meta+K" : "Control+K"}
        onPress={() => setOpen(true)}
      >
        <Icon name="search" />
        <span className="wide-only">{text("palette.open")}</span>
        <span className="keys wide-only" data-keys={isMac ? "⌘K" : "Ctrl K"} />
      </Button>
      {isOpen && (
        <Suspense>
          <Palette onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
