import { KeptPage } from '../features/trash/kept.tsx'
import { TrashPage } from '../features/trash/trash.tsx'
import type { Route } from '../lib/route.ts'
import { sharedViewer } from './viewers.ts'

/** `/trash/*`: the list, or an item of it. */
export default function TrashScreen({ route }: { route: Extract<Route, { name: 'trash' }> }) {
  const { id, path, from } = route
  if (id === '') return <TrashPage from={from} />
  return <KeptPage key={id} place={{ id, path }} findViewer={sharedViewer} />
}
