import { useEffect } from 'react'
import { type Action, type LayerPart, publishLayer, runAction } from './actions.ts'
import { type Binding, useShortcuts } from './keyboard.ts'

/** Registers actions of an overlay over the listing while the component is mounted. */
export function useLayerPart(part: LayerPart): void {
  useEffect(() => publishLayer(part))
}

/** The key bindings of an overlay's actions. @param may whether a key press may run this action */
export function useLayerKeys(
  actions: readonly Action[],
  more: Pick<Binding, 'inText'>,
  may: (action: Action, event: KeyboardEvent) => boolean = () => true,
): void {
  useShortcuts(
    'listing',
    actions.flatMap(action => {
      // Consumed even when the action is disabled: the browser's default would be something else.
      const run = (event: KeyboardEvent) => may(action, event) && void runAction(action)
      return action.shortcut ? [{ keys: action.shortcut, run, ...more }] : []
    }),
  )
}
