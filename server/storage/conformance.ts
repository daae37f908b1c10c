import { afterEach, beforeEach, describe } from 'vitest'
import { contentSuite } from './conformance/content.ts'
import { folderSuite } from './conformance/folders.ts'
import { guardSuite, linkGuardSuite } from './conformance/guard.ts'
import { identitySuite, linkIdentitySuite } from './conformance/identity.ts'
import { keepReplacedSuite } from './conformance/keep-replaced.ts'
import { keptSuite, linkKeptSuite } from './conformance/kept.ts'
import { closedLinkSuite, linkSuite } from './conformance/links.ts'
import { moveOverSuite } from './conformance/move-over.ts'
import { linkNameSuite, nameSuite } from './conformance/names.ts'
import { openLinkSuite } from './conformance/open-links.ts'
import type { TestPlace } from './conformance/place.ts'
import { linkStagingSuite, stagingSuite } from './conformance/staging.ts'
import { writingSuite } from './conformance/writing.ts'

export type { TestPlace } from './conformance/place.ts'

/**
 * The duties of every storage driver, as tests. The test of a new driver is one call of this function.
 * @param makePlace an empty store for each test; see `TestPlace`
 * @param how `followsOut`: the stores follow links out of their root; `links`: whether the store can hold links; `keeps`:
 *   whether it keeps deleted things
 */
export function conformance(
  name: string,
  makePlace: () => Promise<TestPlace>,
  { followsOut = false, links = true, keeps = true }: { followsOut?: boolean; links?: boolean; keeps?: boolean } = {},
): void {
  describe(name, () => {
    let current: TestPlace | undefined
    const place = (): TestPlace => {
      if (!current) throw new Error('no place outside a test')
      return current
    }
    beforeEach(async () => {
      current = await makePlace()
    })
    afterEach(() => current?.close())

    describe('content', () => contentSuite(place))
    describe('names', () => nameSuite(place))
    describe('writing', () => writingSuite(place))
    describe('staging', () => stagingSuite(place))
    describe('folders', () => folderSuite(place))
    describe('identity', () => identitySuite(place))
    describe('guard', () => guardSuite(place))
    if (keeps) describe('kept things', () => keptSuite(place))
    if (keeps) describe('replaced files', () => keepReplacedSuite(place))
    if (keeps) describe('moves over files', () => moveOverSuite(place))
    if (!links) return
    if (keeps) describe('kept links', () => linkKeptSuite(place))
    describe('links', () => linkSuite(place))
    describe('links out', () => (followsOut ? openLinkSuite : closedLinkSuite)(place))
    describe('names of links', () => linkNameSuite(place))
    describe('identity of links', () => linkIdentitySuite(place))
    describe('links and staging', () => linkStagingSuite(place))
    describe('links and the guard', () => linkGuardSuite(place))
  })
}
