def test_a_patience(anna, make_game):
    game = make_game("freecell", [anna], options={"deal": 1})
    played = anna.client.post(f"games/{game}/moves", {"ply": 0, "notation": "5a 5b"})
    assert played.status_code == 201
    assert [entry["notation"] for entry in played.json()["entries"]] == ["5a", "5b"]
