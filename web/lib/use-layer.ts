import { useEffect } from 'react'
import { type Action, type LayerPart, publishLayer, runAction } from './actions.ts'
import { type Binding, useShortcuts } from './keyboard.ts'

/** Offers something in a layer over the listing, as long as the component is mounted. */
export function useLayerPart(part: LayerPart): void {
  useEffect(() => publishLayer(part))
}

/** The keys of the actions of such a layer. @param may whether this action is meant by a key press */
export function useLayerKeys(
  actions: readonly Action[],
  more: Pick<Binding, 'inText'>,
  may: (action: Action, event: KeyboardEvent) => boolean = () => true,
): void {
  useShortcuts(
    'listing',
    actions.flatMap(action => {
      // Used up also where it can't be done: the browser would do something else with it.
      const run = (event: KeyboardEvent) => may(action, event) && void runAction(action)
      return action.shortcut ? [{ keys: action.shortcut, run, ...more }] : []
    }),
  )
}
