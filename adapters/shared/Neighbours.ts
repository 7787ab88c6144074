/** An address of MCP, for the discovery documents. */
export interface McpAddress {
  readonly path: string
  readonly title: string
  /** The purpose of its tools, in at most 100 characters. */
  readonly description: string
  /** The supported revisions of the protocol. */
  readonly versions: ReadonlyArray<string>
}

/** The services beside the interface, under the same base address. */
export interface Neighbours {
  readonly mcp: ReadonlyArray<McpAddress>
  /** Whether the documentation is served, with `/llms.txt`. */
  readonly docs: boolean
  /** Whether people can give programs tokens there (OAuth). */
  readonly oauth: boolean
}

/** Nothing beside the interface. */
export const NO_NEIGHBOURS: Neighbours = { mcp: [], docs: false, oauth: false }
