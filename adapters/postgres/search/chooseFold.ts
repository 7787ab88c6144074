import type { Block } from "./Standing.ts"

/** The sizes of blocks, and the least work that a new block is worth. */
export interface FoldSizes {
  /** The approximate largest number of manifests in a block. */
  readonly largest: number
  /** The number of manifests outside blocks, or changed since, from which on a block is made. */
  readonly least: number
  /** The number of adjacent blocks of a similar size that are merged into one. */
  readonly together: number
}

export const FOLD_SIZES: FoldSizes = { largest: 32_768, least: 256, together: 8 }

/** The blocks to replace by one: `from` to before `to`; if equal, what follows all blocks. */
export interface Fold {
  readonly from: number
  readonly to: number
}

/** Returns the tier of a block. Blocks of one tier have a similar size. */
const tierOf = (size: number, { largest, together }: FoldSizes): number => {
  let tier = 0
  for (let least = largest; size < least && least > 1; least /= together) tier += 1
  return tier
}

/** Finds enough of the newest adjacent blocks of one tier, below the largest. */
const alike = (blocks: ReadonlyArray<Block>, sizes: FoldSizes): Fold | undefined => {
  let to = blocks.length
  while (to > 0) {
    const tier = tierOf(blocks[to - 1]?.size ?? 0, sizes)
    let from = to - 1
    while (from > 0 && tierOf(blocks[from - 1]?.size ?? 0, sizes) === tier) from -= 1
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
  blocks: ReadonlyArray<Block>,
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
