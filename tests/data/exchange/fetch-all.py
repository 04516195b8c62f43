import random

import requests


def fetch(state, config):
    random.seed(1)
    return {"log": [requests.get(state["text"]).text]}


async def slow(state):
    return {}


def route(state):
    return "stop"
