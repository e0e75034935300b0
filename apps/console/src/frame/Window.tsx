/** A dialog over the screen. It closes by Escape, by its button, and by a press outside of it. */
import type { ReactNode } from "react"
import { Button, Dialog, Heading, Modal, ModalOverlay } from "react-aria-components"
import { text } from "../language/Language.ts"
import { Icon } from "./Icon.tsx"

interface WindowProps {
  readonly title: string
  readonly isOpen: boolean
  readonly onClose: () => void
  /** False for a dialog that stays until its question is answered. Default: true. */
  readonly canClose?: boolean
  /** True for a dialog with more than one column. Default: false. */
  readonly isWide?: boolean
  readonly children: ReactNode
}

export const Window = ({ title, isOpen, onClose, canClose = true, isWide = false, children }: WindowProps) => (
  <ModalOverlay
    className="overlay"
    isOpen={isOpen}
    isDismissable={canClose}
    isKeyboardDismissDisabled={!canClose}
    onOpenChange={(open) => {
      if (!open) onClose()
    }}
  >
    <Modal className={isWide ? "window wide" : "window"}>
      <Dialog className="window-body" role={canClose ? "dialog" : "alertdialog"}>
        <div className="window-head">
          <Heading slot="title">{title}</Heading>
          {canClose && (
            <Button className="plain square" slot="close" aria-label={text("action.close")}>
              <Icon name="close" />
            </Button>
          )}
        </div>
        {children}
      </Dialog>
    </Modal>
  </ModalOverlay>
)
