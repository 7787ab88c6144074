/** Whether a phone can open a code's content: other codes are text, and a script is no wallet. */
export const isOpenable = (content: string): boolean => {
  const protocol = URL.parse(content)?.protocol
  return protocol !== undefined && !/^(?:javascript|vbscript|data|blob|file):$/.test(protocol)
}
