/**
 * Copies a text, and returns whether that worked. Browsers give the clipboard only to pages over
 * https and of this machine. Elsewhere the text is selected beside the button, which may be in a
 * dialog, and copied as a person would.
 */
export const copyText = async (text: string, button: HTMLElement): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const area = document.createElement("textarea")
    area.className = "hidden"
    area.readOnly = true
    area.value = text
    button.after(area)
    area.select()
    const isCopied = document.execCommand("copy")
    area.remove()
    button.focus()
    return isCopied
  }
}
