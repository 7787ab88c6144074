import type { Block } from "./Standing.ts"

/** A block, and the number of its words: 0 if it is from before these were counted. */
export interface FoldedBlock extends Block {
  readonly words: number
}

/** The sizes of blocks, and the least work that a new block is worth. */
export interface FoldSizes {
  /** The approximate largest number of manifests in a block. */
  readonly largest: number
  /**
   * The approximate most words in a block; a word counts once for each manifest that has it. The
   * memory of who makes the block is bounded by this: most words may be in only one manifest.
   */
  readonly words: number
  /** The number of manifests outside blocks, or changed since, from which on a block is made. */
  readonly least: number
  /** The number of adjacent blocks of a similar size that are merged into one. */
  readonly together: number
}

export const FOLD_SIZES: FoldSizes = {
  largest: 32_768,
  words: 48 * 32_768,
  least: 256,
  together: 8,
}

/** Whether nothing more is put into a block. */
export const isFull = (
  block: Pick<FoldedBlock, "size" | "words">,
  sizes: Pick<FoldSizes, "largest" | "words">,
): boolean => block.size >= sizes.largest || block.words >= sizes.words

/** The blocks to replace by one: `from` to before `to`; if equal, what follows all blocks. */
export interface Fold {
  readonly from: number
  readonly to: number
}

/** Returns the tier of a block: 0 if it is full. Blocks of one tier have a similar size. */
const tierOf = (block: FoldedBlock, { largest, together, words }: FoldSizes): number => {
  let tier = 0
  let parts = 1
  while (parts < largest && !isFull(block, { largest: largest / parts, words: words / parts })) {
    tier += 1
    parts *= together
  }
  return tier
}

/** Finds enough of the newest adjacent blocks of one tier that are not full. */
const alike = (blocks: ReadonlyArray<FoldedBlock>, sizes: FoldSizes): Fold | undefined => {
  const tiers = blocks.map((block) => tierOf(block, sizes))
  let to = tiers.length
  while (to > 0) {
    const tier = tiers[to - 1] ?? 0
    let from = to - 1
    while (from > 0 && tiers[from - 1] === tier) from -= 1
    if (tier > 0 && to - from >= sizes.together) return { from, to }
    to = from
  }
  return undefined
}

/**
 * Chooses what to build next: first what is in no block, then blocks that are too small, then the
 * block that has changed most. Returns undefined if there is nothing to do.
 */
export const chooseFold = (
  blocks: ReadonlyArray<FoldedBlock>,
  { changed, fresh }: { readonly changed: ReadonlyArray<number>; readonly fresh: number },
  sizes: FoldSizes,
): Fold | undefined => {
  if (fresh >= sizes.least) return { from: blocks.length, to: blocks.length }
  const small = alike(blocks, sizes)
  if (small !== undefined) return small
  if (changed.reduce((sum, count) => sum + count, 0) < sizes.least) return undefined
  const most = changed.indexOf(Math.max(...changed))
  return { from: most, to: most + 1 }
}
