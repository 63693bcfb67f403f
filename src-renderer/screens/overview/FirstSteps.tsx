import { Command } from '../../components/Command.tsx';
import { Panel } from '../../components/Panel.tsx';

/** What to do while no host has called: the empty state of the product. */
export function FirstSteps() {
  return (
    <Panel title="Point OpenClaw at this engine">
      <div className="first-steps">
        <p className="soft">
          Strata shows what your agent’s model gets to see, and why. It has nothing to show until OpenClaw calls it.
        </p>
        <ol className="steps">
          <li>
            <p>
              Install the plugin: run this in Strata’s folder. The command shows what it will change and asks before it
              does.
            </p>
            <Command text="npm run strata -- openclaw install" />
          </li>
          <li>
            <p>Restart OpenClaw’s gateway and send your agent a message. The call appears here by itself.</p>
          </li>
          <li>
            <p>Nothing after a minute? This looks at every link of the chain and says which one is broken.</p>
            <Command text="npm run strata -- doctor" />
          </li>
        </ol>
      </div>
    </Panel>
  );
}
