import { createStore } from '../../../../lib/store.ts'

/** Whether a drag is under way: the breadcrumb stays visible then, as a drop target. */
export const draggingStore = createStore(false)
