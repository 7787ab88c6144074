import { create } from "qrcode"
import { useMemo } from "preact/hooks"
import { Qr } from "../../../../adapters/pages/shared/Qr.tsx"

/** The quiet zone around a code, in modules (ISO/IEC 18004). */
const QUIET = 4

/** Returns a picture of the code; undefined for a text that is too long. */
const drawn = (text: string): string | undefined => {
  try {
    const { modules } = create(text, { errorCorrectionLevel: "M" })
    const size = modules.size + 2 * QUIET
    let path = ""
    for (let y = 0; y < modules.size; y += 1) {
      for (let x = 0; x < modules.size; x += 1) {
        if (modules.get(y, x) === 1) path += `M${x + QUIET} ${y + QUIET}h1v1h-1z`
      }
    }
    return (
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" ` +
      `shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/>` +
      `<path d="${path}"/></svg>`
    )
  } catch {
    return undefined
  }
}

/** A text as a code to scan. Shows nothing if the text is too long. */
export const Code = ({ label, text }: { readonly label: string; readonly text: string }) => {
  const svg = useMemo(() => drawn(text), [text])
  return svg === undefined ? null : <Qr label={label} svg={svg} />
}
