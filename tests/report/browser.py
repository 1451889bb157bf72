"""browser.py - drives a headless Chromium as a user would.

Reads from standard input, a line each, and writes a line for each `ask`:

    open FILE               shows the page
    click SELECTOR          clicks on the first such element
    type SELECTOR TEXT      writes into it, after emptying it
    key SELECTOR KEY        presses a key there, as ArrowDown
    dark | light            what the system prefers from the next open on
    paper WIDTH             as it is printed, that many pixels wide
    ask EXPRESSION          the value, once it is not null or false, as text
    shot FILE               keeps the picture of the window
    console                 errors and warnings since the last such line
"""

# SPDX-License-Identifier: BSD-2-Clause
import base64
import http.client
import json
import os
import subprocess
import sys
import time

KEYS = {"ArrowUp": "\ue013", "ArrowDown": "\ue015", "PageDown": "\ue00f",
        "Enter": "\ue007", "Tab": "\ue004"}
PATIENCE = 120                  # seconds, for whatever is asked


class Browser:
    def __init__(self, port):
        self.port = port
        self.session = "/session"
        value = self.post("", {"capabilities": {"alwaysMatch": {
            "goog:loggingPrefs": {"browser": "ALL"},
            "goog:chromeOptions": {"args": [
                "--headless=new", "--no-sandbox", "--disable-gpu",
                "--disable-dev-shm-usage", "--window-size=1200,2000"]}}}})
        self.session = "/session/" + value["sessionId"]

    def request(self, method, path, body=None):
        link = http.client.HTTPConnection("127.0.0.1", self.port,
                                          timeout=PATIENCE)
        link.request(method, self.session + path,
                     None if body is None else json.dumps(body),
                     {"Content-Type": "application/json"})
        answer = json.loads(link.getresponse().read())["value"]
        link.close()
        if isinstance(answer, dict) and "error" in answer:
            raise RuntimeError("%(error)s: %(message)s" % answer)
        return answer

    def post(self, path, body):
        return self.request("POST", path, body)

    def run(self, script):
        return self.post("/execute/sync", {"script": script, "args": []})

    def find(self, selector):
        return "/element/" + list(self.post("/element", {
            "using": "css selector", "value": selector}).values())[0]

    # ---- What can be asked for -------------------------------------------

    def open(self, file):
        self.post("/url", {"url": "file://" + os.path.realpath(file)})

    def click(self, selector):
        """What is still on its way to its place is clicked on once there."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                self.post(self.find(selector) + "/click", {})
                return
            except RuntimeError as error:
                if "intercepted" not in str(error) or time.monotonic() > end:
                    raise

    def type(self, words):
        selector, text = words.split(" ", 1)
        self.post(self.find(selector) + "/clear", {})
        self.post(self.find(selector) + "/value", {"text": text})

    def key(self, words):
        selector, name = words.rsplit(" ", 1)
        self.post(self.find(selector) + "/value",
                  {"text": KEYS.get(name, name)})

    def emulate(self, what, **how):
        self.post("/goog/cdp/execute",
                  {"cmd": "Emulation." + what, "params": how})

    def prefer(self, scheme):
        self.emulate("setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": scheme}])

    def dark(self, _):
        self.prefer("dark")

    def light(self, _):
        self.prefer("light")

    def paper(self, width):
        self.emulate("setEmulatedMedia", media="print")
        self.emulate("setDeviceMetricsOverride", width=int(width), height=1000,
                     deviceScaleFactor=1, mobile=False)

    def ask(self, expression):
        end = time.monotonic() + PATIENCE
        value = None
        while value in (None, False) and time.monotonic() < end:
            value = self.run("return " + expression)
        print(value, flush=True)

    def shot(self, file):
        with open(file, "wb") as stream:
            stream.write(base64.b64decode(self.request("GET", "/screenshot")))

    def console(self, _):
        for entry in self.post("/se/log", {"type": "browser"}):
            print("console: %(level)s %(message)s" % entry, flush=True)


def start():
    """A driver and its port: what it takes for free may be taken already."""
    for _ in range(10):
        driver = subprocess.Popen(["chromedriver", "--port=0"], text=True,
                                  stdout=subprocess.PIPE)
        for line in driver.stdout:
            if "started successfully" in line:
                return driver, int(line.split("port ")[1].rstrip(".\n"))
        driver.wait()
    sys.exit("chromedriver does not start")


def main():
    driver, port = start()
    try:
        browser = Browser(port)
        try:
            for line in sys.stdin:
                verb, _, rest = line.rstrip("\n").partition(" ")
                getattr(browser, verb)(rest)
        finally:
            browser.request("DELETE", "")
    finally:
        driver.terminate()
        driver.wait()


main()
