import { useState } from "react";
import { notificationState, turnOffNotifications, turnOnNotifications } from "../server/notify.ts";

const texts = {
  on: "On in this browser.",
  off: "Off in this browser.",
  blocked:
    "Your browser blocks notifications of this page. Allow them in the settings of the browser for this address.",
  unsupported: "This browser has no notifications.",
} as const;

/** Notifications while the tab is hidden; the browser is asked when the person presses the button, and never before. */
export function Notifications() {
  const [state, setState] = useState(notificationState);
  return (
    <section aria-label="Notifications">
      <h2>Notifications</h2>
      <div className="card form">
        <div className="row">
          <div className="grow">
            <div>When this tab is hidden: a request waits for your answer, or a run has ended.</div>
            <div className="faint" role="status">
              {texts[state]}
            </div>
          </div>
          {state === "off" && (
            <button type="button" onClick={() => void turnOnNotifications().then(setState)}>
              Turn on
            </button>
          )}
          {state === "on" && (
            <button type="button" onClick={() => setState(turnOffNotifications())}>
              Turn off
            </button>
          )}
        </div>
      </div>
    </section>
  );
}
