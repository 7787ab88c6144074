/** The exit code of a shell for an interrupted program. */
const INTERRUPTED = 130

/** Whether a program such as `--watch` has started this process and waits for it. */
export const hasParent = (): boolean => process.connected !== undefined

/** Ends this process with that program, also if that one is killed. */
export const endWithParent = (): void => {
  // It may have been killed before this process could hear it.
  if (!process.connected) process.exit(INTERRUPTED)
  process.once("disconnect", () => process.exit(INTERRUPTED))
  // A run that is over ends by itself.
  process.channel?.unref()
}
