import { copyText } from "../shared/copyText.ts"

const SHOWN_MS = 1_500

/** Adds a copy button to each block of code. */
export const addCopyButtons = (): void => {
  const said = document.createElement("output")
  said.className = "hidden"
  document.body.append(said)
  for (const figure of document.querySelectorAll("figure.code")) {
    const button = document.createElement("button")
    button.type = "button"
    button.className = "copy"
    button.textContent = "Copy"
    button.addEventListener("click", () => {
      const code = figure.querySelector("code")?.textContent ?? ""
      const say = (text: string) => {
        button.textContent = text
        said.textContent = text
        setTimeout(() => (button.textContent = "Copy"), SHOWN_MS)
      }
      void copyText(code, button).then((isCopied) => say(isCopied ? "Copied" : "Press Ctrl+C"))
    })
    figure.append(button)
  }
}
