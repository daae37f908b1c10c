import { createStore } from '../../../../lib/store.ts'

/** Whether things are being carried: the way to the folder stays in sight then, since they can be dropped on it. */
export const draggingStore = createStore(false)
