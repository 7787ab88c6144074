import { Dialog, Id } from "./basics.tsx"

interface SecretProps {
  readonly title: string
  readonly value: string
  readonly text: string
  readonly onClose: () => void
}

/** A secret that is shown only once. */
export const Secret = ({ onClose, text, title, value }: SecretProps) => (
  <Dialog title={title} onClose={onClose}>
    <div class="form">
      <p>{text}</p>
      <div class="secret">
        <Id value={value} whole />
      </div>
      <div class="acts end">
        <button type="button" class="act primary" onClick={onClose}>
          I have kept it
        </button>
      </div>
    </div>
  </Dialog>
)
