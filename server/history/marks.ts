import type { Db } from '../db/schema.ts'
import type { MarkRecords } from '../files/mark-records.ts'
import { leftAmong } from './left-objects.store.ts'
import { addStar, listStars, markedAt, markedOf, noteSeen, orderStars, removeStars, trashWith } from './marks.store.ts'
import { addObject, identify } from './objects.store.ts'
import { clearRecent, listRecent, remembers, setRemembers } from './recent.store.ts'
import type { RecentWrites } from './recent-writes.ts'
import { remarkRecords } from './remarks.store.ts'
import { addTag, changeTag, listTags, objectsWithTag, removeTag, setTags, tagsIn } from './tags.store.ts'

/** The records of marks in the database. @param recent what is still to be written */
export function markRecords(db: Db, recent: RecentWrites): MarkRecords {
  return {
    objectOf: identity => markedOf(db, identity),
    objectsAt: place => markedAt(db, place),
    add: now => addObject(db, now),
    identify: (object, now) => db.transaction().execute(transaction => identify(transaction, object, now)),
    seen: objects => noteSeen(db, objects),
    inTrash: object => trashWith(db, object),
    hasLeft: async object => (await leftAmong(db, [object])).has(object),
    stars: userId => listStars(db, userId),
    star: (userId, object) => addStar(db, userId, object),
    unstar: (userId, objects) => removeStars(db, userId, objects),
    order: (userId, objects) => orderStars(db, userId, objects),
    tags: userId => listTags(db, userId),
    addTag: (userId, tag) => addTag(db, userId, tag),
    changeTag: (id, tag) => changeTag(db, id, tag),
    removeTag: id => removeTag(db, id),
    setTags: (userId, object, change) => setTags(db, { userId, object, ...change }),
    tagsIn: (userId, folder) => tagsIn(db, userId, folder),
    objectsWith: (tag, before) => objectsWithTag(db, tag, before),
    ...remarkRecords(db),
    async recent(userId) {
      await recent.flush()
      return listRecent(db, userId)
    },
    opened: (userId, now) => recent.opened(userId, now),
    async clearRecent(userId) {
      await recent.flush()
      await clearRecent(db, userId)
    },
    remembers: userId => remembers(db, userId),
    remember: (userId, isOn) => setRemembers(db, userId, isOn),
  }
}
