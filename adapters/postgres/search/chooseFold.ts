import type { Block } from "./Standing.ts"

/** How large blocks become, and what is worth the work of making one. */
export interface FoldSizes {
  /** Manifests of a block, about. */
  readonly largest: number
  /** From so many manifests on that are in no block, or have changed since, one is made. */
  readonly least: number
  /** So many blocks of about one size, side by side, become one. */
  readonly together: number
}

export const FOLD_SIZES: FoldSizes = { largest: 32_768, least: 256, together: 8 }

/** Which blocks are made anew as one: from the first to before the second; else what is behind. */
export interface Fold {
  readonly from: number
  readonly to: number
}

/** Blocks of one tier are of about one size. */
const tierOf = (size: number, { largest, together }: FoldSizes): number => {
  let tier = 0
  for (let least = largest; size < least && least > 1; least /= together) tier += 1
  return tier
}

/** The newest blocks side by side, enough of them, that are of one tier and not of the largest. */
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
 * What of the index is made anew first: what is in no block, then blocks that are too small, then
 * the block that has changed most. Undefined when there is nothing to do.
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
