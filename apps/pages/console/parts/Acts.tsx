import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import { Confirm } from "./Confirm.tsx"

/** An action on a row or a view. */
export interface Deed {
  readonly label: string
  readonly text: string
  readonly tone?: "danger" | "usual"
  readonly act: (options: { readonly idempotencyKey: string }) => Promise<unknown>
}

interface ActsProps {
  readonly about: string
  readonly deeds: ReadonlyArray<Deed>
  readonly onDone: () => void
  readonly children?: ComponentChildren
}

/** Buttons that ask for a confirmation. */
export const Acts = ({ about, children, deeds, onDone }: ActsProps) => {
  const [deed, setDeed] = useState<Deed>()
  const close = () => setDeed(undefined)
  return (
    <>
      <span class="acts">
        {children}
        {deeds.map((one) => (
          <button key={one.label} type="button" class="act" onClick={() => setDeed(one)}>
            {one.label}
            <span class="hidden"> {about}</span>
          </button>
        ))}
      </span>
      {deed !== undefined && (
        <Confirm
          title={`${deed.label} ${about}?`}
          label={deed.label}
          tone={deed.tone ?? "usual"}
          act={deed.act}
          onClose={close}
          onDone={() => {
            close()
            onDone()
          }}
        >
          <p>{deed.text}</p>
        </Confirm>
      )}
    </>
  )
}
