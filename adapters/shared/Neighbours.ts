/** An address of MCP, as the documents tell of it by which it is found. */
export interface McpAddress {
  readonly path: string
  readonly title: string
  /** What its tools do, in at most 100 characters. */
  readonly description: string
  /** The revisions of the protocol that it speaks. */
  readonly versions: ReadonlyArray<string>
}

/** What is served beside the interface, under the same base address. */
export interface Neighbours {
  readonly mcp: ReadonlyArray<McpAddress>
  /** Whether the documentation is there, with `/llms.txt`. */
  readonly docs: boolean
  /** Whether people give programs tokens there (OAuth). */
  readonly oauth: boolean
}

/** Nothing is beside it. */
export const NO_NEIGHBOURS: Neighbours = { mcp: [], docs: false, oauth: false }
