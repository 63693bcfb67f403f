import { useStore } from 'zustand';
import { Icon } from '../components/Icon.tsx';
import { useApp } from '../hooks/app-context.ts';
import { useHotKeys } from '../hooks/use-hot-keys.ts';
import { formatCount } from '../model/format-number.ts';

/** Live or paused, and honest about the connection: what is held back, what was lost, when the next try is. */
export function LiveSwitch() {
  const { stores } = useApp();
  const link = useStore(stores.live, (state) => state.link);
  const paused = useStore(stores.live, (state) => state.paused);
  const held = useStore(stores.live, (state) => state.held);
  const dropped = useStore(stores.live, (state) => state.dropped);
  const toggle = () => (paused ? stores.live.resume() : stores.live.pause());
  useHotKeys({ p: toggle });
  const down = link.status === 'reconnecting' || link.status === 'signed_out';
  return (
    <div className="live">
      {dropped > 0 && (
        <span
          className="chip quiet"
          title="Events the daemon no longer had when this page came back; the page was read anew"
        >
          {formatCount(dropped)} events skipped
        </span>
      )}
      {down && (
        <button type="button" className="chip warn" onClick={() => stores.client.reconnectNow()}>
          Disconnected{link.status === 'reconnecting' && `, attempt ${link.attempt}`} · try now
        </button>
      )}
      <button
        type="button"
        className={`button small live-switch${paused ? ' paused' : ''}`}
        aria-pressed={paused}
        onClick={toggle}
        title={paused ? 'Show what was held back and go on live (P)' : 'Hold back live changes (P)'}
      >
        <Icon name={paused ? 'play' : 'pause'} size={14} />
        {paused ? `Paused${held > 0 ? ` · ${formatCount(held)} held back` : ''}` : down ? 'Not live' : 'Live'}
      </button>
    </div>
  );
}
